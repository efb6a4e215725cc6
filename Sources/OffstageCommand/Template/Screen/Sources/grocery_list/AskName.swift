import Offstage

/// Asks for a name and returns it.
final class AskName: Screen {
  static let kind = "askName"

  typealias Result = String

  struct Input: Ports {
    let nameText = Field("", .required)
    let confirm = In<Trigger>()
    let cancel = In<Trigger>()
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let router = Router()

  init() {
    input.confirm.observe { [self] in
      if input.nameText.validate() { finish(input.nameText.value) }
    }
    input.cancel.observe { [router] in router.close() }
  }
}
