import Offstage

/// The form in the article's second style: outputs are a function of the inputs, and a port more is
/// one line more.
final class BoundForm: Screen {
  static let kind = "boundForm"

  struct Input: Ports {
    let nameText = In<String?>(nil)
    let emailText = In<String?>(nil)
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    let greeting = Out("")
  }

  let input = Input()
  let output: Output
  let effects = Effects()

  init() { output = Self.bind(input) }

  static func bind(_ input: Input) -> Output {
    let output = Output()
    output.isConfirmEnabled.bind(
      combineLatest(input.nameText, input.emailText).map { name, email in
        name?.isEmpty == false && email?.isEmpty == false
      })
    output.greeting.bind(input.nameText.map(orElse: "Hello, whoever you are", greeting))
    return output
  }

  /// - Throws: for a name that nobody has.
  private static func greeting(_ name: String?) throws -> String {
    guard let name, !name.isEmpty else { throw NoName() }
    return "Hello, \(name)"
  }

  private struct NoName: Error {}
}
