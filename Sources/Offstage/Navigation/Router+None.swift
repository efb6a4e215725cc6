/// The same for screens that are opened with nothing.
extension Router {
  @discardableResult
  public func push<S: Screen>(
    _ screen: S.Type, transition: Transition? = nil
  ) -> Shown<S.Result> where S.Argument == None {
    push(screen, None(), transition: transition)
  }

  @discardableResult
  public func pushUnique<S: Screen>(
    _ screen: S.Type, transition: Transition? = nil
  ) -> Shown<S.Result> where S.Argument == None {
    pushUnique(screen, None(), transition: transition)
  }

  @discardableResult
  public func present<S: Screen>(
    _ screen: S.Type, as style: PresentationStyle = .sheet
  ) -> Shown<S.Result> where S.Argument == None {
    present(screen, None(), as: style)
  }

  @discardableResult
  public func showModal<S: Screen>(
    _ screen: S.Type, background: ModalBackground = ModalBackground(),
    transition: Transition? = nil
  ) -> Shown<S.Result> where S.Argument == None {
    showModal(screen, None(), background: background, transition: transition)
  }
}
