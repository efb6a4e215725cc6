import Offstage

/// The first screen: leads to the issues or to the sign-in.
final class Launch: Screen {
  static let kind = "launch"

  struct Input: Ports {}
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ scope: AppScope) { effects.run { scope.start() } }
}

/// Asks for an address and a password.
final class SignIn: Screen {
  static let kind = "signIn"

  struct Input: Ports {
    let emailText = Field("", .required, .matches("^[^@ ]+@[^@ ]+$", "Enter an email address."))
    let passwordText = Field("", .required)
    let signInTapped = In<Trigger>()
  }

  struct Output: Ports {
    let canSignIn = Out(false)
    let isSigningIn = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ scope: AppScope) {
    let signIn = effects.task(.keepFirst)
    output.isSigningIn.bind(signIn.activity)
    output.canSignIn.derive { [output] in !output.isSigningIn.value }
    // What a restart has cut may have been saved.
    signIn.onRestart("signIn") { [effects] in
      if scope.store.email != nil { effects.run { scope.start() } }
    }
    input.signInTapped.observe { [self] in
      guard input.emailText.validate(), input.passwordText.validate() else { return }
      signIn.run { [input] in
        try await scope.store.signIn(input.emailText.value, input.passwordText.value)
        scope.start()
      } catch: { [input] in
        input.passwordText.error = "\($0)"
      }
    }
  }
}
