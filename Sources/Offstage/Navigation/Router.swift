/// Shows screens and takes them away, on behalf of the screen that it was made with.
///
/// Coordinators and the article's routers hold one; view models never do.
@CoreActor
public final class Router {
  private let node: ScreenNode

  /// The router of the screen that is being made.
  public init() { node = ScreenNode.making("Router()") }

  // MARK: Showing

  /// Puts a screen on top of the stack that this one is on.
  @discardableResult
  public func push<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, transition: Transition? = nil
  ) -> Shown<S.Result> {
    show(Route(screen, argument)) { core, owner, new in
      guard let place = core.navigation.place(of: owner) else { return nil }
      return core.navigation.push(new, at: place, transition)
    }
  }

  /// Puts a screen on top of the stack without ever having two of its kind there: one that is on the
  /// stack already is moved to the top, the same instance as it is.
  @discardableResult
  public func pushUnique<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, transition: Transition? = nil
  ) -> Shown<S.Result> {
    if node.isOpen, let place = node.core.navigation.place(of: node.id),
      let existing = node.core.navigation[place].last(where: {
        node.core.screens[$0]?.kind == S.kind
      })
    {
      node.core.apply(node.core.navigation.moveToTop(existing, at: place, transition))
      return Shown(node.core.screens[existing])
    }
    return push(screen, argument, transition: transition)
  }

  /// Presents a screen with a stack of its own over everything so far.
  @discardableResult
  public func present<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, as style: PresentationStyle = .sheet
  ) -> Shown<S.Result> {
    show(Route(screen, argument)) { core, _, new in core.navigation.present(new, style) }
  }

  /// Shows a screen as a box over everything; it goes with the screen that showed it.
  @discardableResult
  public func showModal<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, background: ModalBackground = ModalBackground(),
    transition: Transition? = nil
  ) -> Shown<S.Result> {
    show(Route(screen, argument)) { core, owner, new in
      core.navigation.showModal(new, background, by: owner, transition)
    }
  }

  // MARK: Taking away

  /// Closes the screen of this router. At the root of a stack this does nothing but warn.
  public func close() {
    guard node.isOpen else { return }
    guard !node.core.close(node.id) else { return }
    node.core.report(
      Fault(
        "Screen \(node.id) (\(node.kind)) is the root of its stack and cannot be closed. Select "
          + "another tab or swap the root instead."))
  }

  /// Takes off everything above this screen: what is pushed on it and presented over it.
  public func popToSelf() {
    if node.isOpen { _ = node.core.popTo(node.id) }
  }

  /// Selects a tab; the others keep their stacks.
  public func selectTab(_ id: String) {
    guard node.isOpen else { return }
    if !node.core.selectTab(id) { node.core.report(Fault("The app has no tab \"\(id)\".")) }
  }

  private func show<Result>(
    _ route: Route,
    _ place: (_ core: Core, _ owner: ScreenID, _ new: ScreenID) -> Navigation.Change?
  ) -> Shown<Result> {
    guard node.isOpen else { return Shown(nil) }
    let core = node.core
    do {
      let new = try core.make(route)
      guard let change = place(core, node.id, new.id) else {
        core.end([new.id])
        return Shown(nil)
      }
      core.apply(change)
      return Shown(new)
    } catch {
      core.report(Fault("\(error)"))
      return Shown(nil)
    }
  }
}
