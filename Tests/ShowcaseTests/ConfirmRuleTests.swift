import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// B.2 and B.7: the rule of `isConfirmEnabled`, in both authoring styles.
@Suite @CoreActor struct ConfirmRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String?
    let email: String?
    let isEnabled: Bool
    var testDescription: String { "\(name ?? "nil"), \(email ?? "nil")" }

    init(_ name: String?, _ email: String?, _ isEnabled: Bool) {
      (self.name, self.email, self.isEnabled) = (name, email, isEnabled)
    }
  }

  nonisolated static let cases = [
    Case(nil, nil, false),
    Case("Kim", nil, false),
    Case(nil, "kim@example.com", false),
    Case("", "", false),
    Case("Kim", "", false),
    Case("", "kim@example.com", false),
    Case("Kim", "kim@example.com", true),
    Case(" ", " ", true),
    Case("\n", "\t", true),
    Case(" ", nil, false),
    Case("K", "no address at all", true),
    Case("김", "김@한국", true),
    Case("\u{301}", "\u{200B}", true),
  ]

  @Test(arguments: cases)
  func formWiredInInitFollowsTheRule(_ example: Case) {
    check(example) {
      SignUp(
        dependency: .init(
          accounts: MockAccounts(), session: MockSession(), coordinator: MockSignUpCoordinator(),
          tracker: MockTracker()))
    }
  }

  @Test(arguments: cases)
  func formBoundByAFunctionFollowsTheRule(_ example: Case) {
    check(example) { BoundForm() }
  }

  /// Types the values in either order and clears each again.
  private func check(
    _ example: Case, _ make: () -> some Form, _ location: SourceLocation = #_sourceLocation
  ) {
    for isNameFirst in [true, false] {
      let core = TestCore()
      let form = core.show(make)
      #expect(!form.isConfirmEnabled.value, sourceLocation: location)
      if isNameFirst { form.nameText.send(example.name) }
      form.emailText.send(example.email)
      if !isNameFirst { form.nameText.send(example.name) }
      #expect(form.isConfirmEnabled.value == example.isEnabled, sourceLocation: location)
      for field in [form.nameText, form.emailText] {
        let value = field.value
        for cleared in [nil, ""] {
          field.send(cleared)
          #expect(!form.isConfirmEnabled.value, sourceLocation: location)
        }
        field.send(value)
        #expect(form.isConfirmEnabled.value == example.isEnabled, sourceLocation: location)
      }
      core.closeAll()
    }
  }
}

/// The ports of both forms.
@CoreActor
private protocol Form: Screen {
  var nameText: Field<String?> { get }
  var emailText: Field<String?> { get }
  var isConfirmEnabled: Out<Bool> { get }
}

extension SignUp: Form {
  var nameText: Field<String?> { input.nameText }
  var emailText: Field<String?> { input.emailText }
  var isConfirmEnabled: Out<Bool> { output.isConfirmEnabled }
}

extension BoundForm: Form {
  var nameText: Field<String?> { input.nameText }
  var emailText: Field<String?> { input.emailText }
  var isConfirmEnabled: Out<Bool> { output.isConfirmEnabled }
}

/// The form in the article's second style: outputs are a function of the inputs.
final class BoundForm: Screen {
  static let kind = "boundForm"

  struct Input: Ports {
    let nameText = Field<String?>(nil)
    let emailText = Field<String?>(nil)
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
    output.greeting.bind(input.nameText.map { (try? greeting($0)) ?? "Hello, stranger" })
    return output
  }

  /// - Throws: for an unknown name.
  private static func greeting(_ name: String?) throws -> String {
    guard let name, !name.isEmpty else { throw NoName() }
    return "Hello, \(name)"
  }

  private struct NoName: Error {}
}

/// B.5: an output never fails; an error becomes its declared fallback value.
@Suite @CoreActor struct FallbackTests {
  @Test func errorBecomesTheFallback() {
    let core = TestCore()
    let form = core.show { BoundForm() }
    #expect(form.output.greeting.value == "Hello, stranger")
    form.input.nameText.send("Kim")
    #expect(form.output.greeting.value == "Hello, Kim")
    form.input.nameText.send("")
    #expect(form.output.greeting.value == "Hello, stranger")
    form.input.nameText.send("Lee")
    #expect(form.output.greeting.value == "Hello, Lee")
    #expect(core.faults.isEmpty)
  }
}
