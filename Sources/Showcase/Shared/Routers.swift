import Offstage

/// Shows errors.
@CoreActor
protocol AlertRouter: AnyObject {
  func showAlert(_ error: any Error)
}

@CoreActor
protocol FormRouter: AnyObject {
  func confirmDiscard() async throws -> Bool
  /// Closes the screen, if it agrees.
  func dismissScreen()
  /// Continues the navigation for which `mayLeave` returned false.
  func leaveScreen()
}

extension Form {
  /// Asks for confirmation before content is lost.
  func mayLeave(losing hasContent: Bool = true, _ router: any FormRouter) -> Bool {
    if !isSubmitting, !hasContent { return true }
    return mayLeave(asking: { try await router.confirmDiscard() }, then: router.leaveScreen)
  }
}
