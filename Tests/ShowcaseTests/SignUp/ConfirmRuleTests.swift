import Offstage
import OffstageTesting
import Showcase
import Testing

/// B.2 and B.7: when the form can be confirmed, in both styles of authoring.
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
  func wiredInInit(_ example: Case) {
    check(example) {
      SignUp(
        dependency: .init(accounts: MockAccounts(), coordinator: MockSignUpCoordinator()))
    }
  }

  @Test(arguments: cases)
  func boundFromInputToOutput(_ example: Case) {
    check(example) { BoundForm() }
  }

  /// Types the values in either order, and takes each away again.
  private func check(_ example: Case, _ make: () -> some Form) {
    for isNameFirst in [true, false] {
      let core = TestCore()
      let form = core.show(make)
      #expect(!form.isConfirmEnabled.value)
      if isNameFirst { form.nameText.send(example.name) }
      form.emailText.send(example.email)
      if !isNameFirst { form.nameText.send(example.name) }
      #expect(form.isConfirmEnabled.value == example.isEnabled)
      for field in [form.nameText, form.emailText] {
        let value = field.value.flatMap(\.self)
        for cleared in [nil, ""] {
          field.send(cleared)
          #expect(!form.isConfirmEnabled.value)
        }
        field.send(value)
        #expect(form.isConfirmEnabled.value == example.isEnabled)
      }
      core.closeAll()
    }
  }
}

/// What both forms have.
@CoreActor
private protocol Form: Screen {
  var nameText: In<String?> { get }
  var emailText: In<String?> { get }
  var isConfirmEnabled: Out<Bool> { get }
}

extension SignUp: Form {
  var nameText: In<String?> { input.nameText }
  var emailText: In<String?> { input.emailText }
  var isConfirmEnabled: Out<Bool> { output.isConfirmEnabled }
}

extension BoundForm: Form {
  var nameText: In<String?> { input.nameText }
  var emailText: In<String?> { input.emailText }
  var isConfirmEnabled: Out<Bool> { output.isConfirmEnabled }
}
