import Offstage

/// A screen with a form, which asks before what was entered is lost.
protocol FormScreen: Screen {
  var form: Form { get }
  var formRouter: any FormRouter { get }
  /// True if leaving would lose something.
  var hasContent: Bool { get }
}

@CoreActor
protocol FormRouter {
  /// Asks for confirmation.
  /// - Throws: `PromptError` if the device cannot ask.
  func confirmDiscard() async throws -> Bool
  func dismissScreen()
  /// Continues the navigation that the screen has held up.
  func leaveScreen()
}

extension FormScreen {
  func mayLeave() -> Bool { mayLeave(formRouter.leaveScreen) }

  /// Closes the form, after a question if that would lose something.
  func cancel() {
    if mayLeave(formRouter.dismissScreen) { formRouter.dismissScreen() }
  }

  private func mayLeave(_ leave: @escaping () -> Void) -> Bool {
    if form.isSubmitting || !hasContent { return true }
    return form.mayLeave(
      asking: { [formRouter] in try await formRouter.confirmDiscard() }, then: leave)
  }
}
