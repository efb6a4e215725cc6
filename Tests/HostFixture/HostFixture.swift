import Offstage
import OffstageHost

/// A tiny app with the habits that only a process shows: it prints, it reads, it waits for others.
@main
enum HostFixture {
  static func main() {
    Program("host-fixture", version: "1.0", options: [chatter]) { environment in
      if environment["chatter"] != nil { Stray.chat() }
      return App(
        root: .stack(Route(Typed.self)),
        screens: [
          ScreenFactory(Typed.self) { _ in Typed() },
          ScreenFactory(Noisy.self) { _ in Noisy() },
          ScreenFactory(Busy.self) { _ in Busy() },
          ScreenFactory(Bulk.self) { argument, _ in Bulk(argument) },
        ])
    }.run()
  }

  private static let chatter = Option("chatter", help: "print and read while the app is composed")
}
