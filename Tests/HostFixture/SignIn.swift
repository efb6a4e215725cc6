import Offstage

/// A screen with texts that nothing but the core may know.
final class SignIn: Screen {
  static let kind = "signIn"

  struct Input: Ports {
    let nameText = Field("")
    let passwordText = Field("")
    /// Always wrong.
    let pinTyped = In<String>(.secret)
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() { input.pinTyped.expect("the PIN") { _ in false } }
}
