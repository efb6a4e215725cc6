internal import Offstage

/// Where the invitation can lead.
@CoreActor
protocol CreateAccountRouter {
  /// - Parameter onSignedUp: called once with the account; not at all where the form was left.
  func showSignUp(onSignedUp: @escaping @CoreActor (Account) -> Void)
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: CreateAccountRouter {}
