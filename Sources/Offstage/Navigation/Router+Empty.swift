/// The same for screens that are opened with nothing.
extension Router {
  /// Puts a screen on the stack that the person sees.
  @discardableResult
  public func push<S: Screen>(
    _ screen: S.Type, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    push(screen, Empty(), transition: transition)
  }

  /// Puts a screen on the visible stack, or goes back to the one of its kind that is there.
  @discardableResult
  public func pushUnique<S: Screen>(
    _ screen: S.Type, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    pushUnique(screen, Empty(), transition: transition)
  }

  /// Shows a screen over everything, with a stack of its own.
  @discardableResult
  public func present<S: Screen>(
    _ screen: S.Type, as style: PresentationStyle = .sheet
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    present(screen, Empty(), as: style)
  }

  /// Shows a box over this screen, which goes when this screen does.
  @discardableResult
  public func showModal<S: Screen>(
    _ screen: S.Type, background: ModalBackground = ModalBackground(),
    transition: Transition? = nil
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    showModal(screen, Empty(), background: background, transition: transition)
  }
}
