import Offstage
import OffstageHost

/// A tiny app for measuring the runtime from outside.
@main
enum BenchApp {
  static func main() {
    Program("bench-app", version: "1.0") { _ in
      App(
        root: .stack(Route(Form.self)),
        screens: [
          ScreenFactory(Form.self) { _ in Form() }, ScreenFactory(List.self) { _ in List() },
          ScreenFactory(Draft.self) { _ in Draft() }, ScreenFactory(Page.self) { _ in Page() },
          ScreenFactory(Growing.self) { _ in Growing() },
          ScreenFactory(LongList.self) { argument, _ in LongList(argument) },
        ])
    }.run()
  }
}

/// A screen with fields, which are part of the state.
final class Draft: Screen {
  static let kind = "draft"

  struct Input: Ports {
    let nameText = Field("")
    let emailText = Field("")
  }

  struct Output: Ports { let greeting = Out("hello ") }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() { output.greeting.bind(input.nameText.map { "hello " + $0 }) }
}

/// A screen that shows another of its kind on top of it.
final class Page: Screen {
  static let kind = "page"

  struct Input: Ports { let next = In<Trigger>() }
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()

  init() { input.next.observe { [router] in router.push(Page.self) } }
}

/// A screen with two text inputs and two scalar outputs.
final class Form: Screen {
  static let kind = "form"

  struct Input: Ports {
    let nameText = In<String?>()
    let emailText = In<String?>()
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    let greeting = Out("hello ")
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    output.isConfirmEnabled.bind(
      combineLatest(input.nameText, input.emailText).map {
        $0?.isEmpty == false && $1?.isEmpty == false
      })
    output.greeting.bind(input.nameText.map { "hello " + ($0 ?? "") })
  }
}
