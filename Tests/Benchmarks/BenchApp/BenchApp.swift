import Offstage
import OffstageHost

/// A tiny app to measure the runtime with, from outside.
@main
enum BenchApp {
  static func main() {
    Program("bench-app", version: "1.0") { _ in
      App(
        root: .stack(Route(Form.self)),
        screens: [
          ScreenFactory(Form.self) { _ in Form() }, ScreenFactory(List.self) { _ in List() },
        ])
    }.run()
  }
}
