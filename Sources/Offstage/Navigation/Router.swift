/// Shows screens and takes them away, on behalf of the screen that it was made with.
///
/// Coordinators and VIPER's routers hold one; view models never do.
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
  ) -> PresentedScreen<S.Result> {
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
  ) -> PresentedScreen<S.Result> {
    if node.isOpen, let place = node.core.navigation.place(of: node.id),
      let existing = node.core.navigation[place].last(where: {
        node.core.screen($0)?.kind == S.kind
      })
    {
      node.core.apply(node.core.navigation.moveToTop(existing, at: place, transition))
      return PresentedScreen(node.core.screen(existing))
    }
    return push(screen, argument, transition: transition)
  }

  /// Presents a screen with a stack of its own over everything so far.
  @discardableResult
  public func present<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, as style: PresentationStyle = .sheet
  ) -> PresentedScreen<S.Result> {
    show(Route(screen, argument)) { core, _, new in core.navigation.present(new, style) }
  }

  /// Shows a screen as a box over everything; it goes with the screen that showed it.
  @discardableResult
  public func showModal<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, background: ModalBackground = ModalBackground(),
    transition: Transition? = nil
  ) -> PresentedScreen<S.Result> {
    show(Route(screen, argument)) { core, owner, new in
      core.navigation.showModal(new, background, by: owner, transition)
    }
  }

  /// Puts a screen into the queue of what comes next; `showNext` shows it.
  public func enqueue(_ route: Route, _ segue: Segue = .push) {
    if node.isOpen { node.core.queue.append((route, segue)) }
  }

  /// Shows the first screen of the queue.
  /// - Returns: false where the queue is empty.
  @discardableResult
  public func showNext() -> Bool {
    guard node.isOpen, !node.core.queue.isEmpty else { return false }
    let (route, segue) = node.core.queue.removeFirst()
    let _: PresentedScreen<Empty> = show(route) { core, owner, new in
      switch segue {
      case .push: core.navigation.push(new, at: core.navigation.visiblePlace)
      case .present(let style): core.navigation.present(new, style)
      case .modal(let background): core.navigation.showModal(new, background, by: owner)
      }
    }
    return true
  }

  /// Forgets what was to come next.
  public func clearQueue() {
    if node.isOpen { node.core.queue = [] }
  }

  /// Swaps everything for a new root. All screens end, this one included.
  /// - Throws: what a factory throws; nothing changes then.
  public func setRoot(_ root: App.Root) throws {
    if node.isOpen { try node.core.setRoot(root) }
  }

  // MARK: Taking away

  /// Closes the screen of this router. At the root of a stack this does nothing but warn.
  public func close(transition: Transition? = nil) {
    guard node.isOpen, !node.core.close(node.id, transition) else { return }
    node.core.report(
      Fault(
        "Screen \(node.id) (\(node.kind)) is the root of its stack and cannot be closed. Select "
          + "another tab or swap the root instead."))
  }

  /// Closes the topmost screens, as many as there are to close.
  public func close(count: Int) { change { $0.back(count) } }

  /// Takes everything off the visible stack but its root.
  public func closeStack() { change { $0.popToRoot() } }

  /// Closes everything but the roots.
  public func closeAll() { change { $0.closeAll() } }

  /// Closes all that covers this screen: what is pushed on it and what is presented over it.
  public func popToSelf() { change { [id = node.id] in $0.uncover(id) ?? .init() } }

  /// Closes all modals, the one on top first.
  public func closeModals() { change { $0.closeModals() } }

  /// Selects a tab; the others keep their stacks.
  public func selectTab(_ id: String) {
    guard node.isOpen else { return }
    if !node.core.selectTab(id) { node.core.report(Fault("The app has no tab \"\(id)\".")) }
  }

  private func change(_ step: (inout Navigation) -> Navigation.Change) {
    if node.isOpen { node.core.apply(step(&node.core.navigation)) }
  }

  private func show<Result>(
    _ route: Route,
    _ place: (_ core: Core, _ owner: ScreenID, _ new: ScreenID) -> Navigation.Change?
  ) -> PresentedScreen<Result> {
    guard node.isOpen else { return PresentedScreen(nil) }
    let core = node.core
    do {
      let new = try core.make(route)
      guard let change = place(core, node.id, new.id) else {
        core.end([new.id])
        return PresentedScreen(nil)
      }
      core.apply(change)
      return PresentedScreen(new)
    } catch {
      core.report(Fault("\(error)"))
      return PresentedScreen(nil)
    }
  }
}
