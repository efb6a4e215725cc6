import Offstage

/// A screen with a form, which asks for confirmation before input is lost.
protocol FormScreen: Screen {
  var form: Form { get }
  var formRouter: any FormRouter { get }
  /// True if leaving would lose input.
  var hasContent: Bool { get }
}

@CoreActor
protocol FormRouter: AnyObject {
  func confirmDiscard() async throws -> Bool
  /// Closes the screen, if it agrees.
  func dismissScreen()
  /// Continues the navigation for which `mayLeave` returned false.
  func leaveScreen()
}

extension FormScreen {
  func mayLeave() -> Bool {
    if !form.isSubmitting, !hasContent { return true }
    return form.mayLeave(
      asking: { [formRouter] in try await formRouter.confirmDiscard() },
      then: formRouter.leaveScreen)
  }
}
