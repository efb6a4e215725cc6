/// Shows and closes screens on behalf of the screen that it was created with. A ``Route`` says
/// which screen to show, and the methods of a router say how.
///
/// A coordinator or the router of a VIPER module holds one; in a small app, the screen itself does.
///
/// A screen that cannot be shown, because its factory throws or because too many screens are open,
/// counts as dismissed at once: that is what the caller gets. The front end gets an
/// `error` notification, with code 1005 for too many screens; the input itself succeeds.
/// ```swift
/// final class BooksCoordinator {
///   private let router = Router()
///
///   func showDetails(of book: Book) {
///     router.push(BookDetail.self, book)
///   }
/// }
/// ```
/// A screen that is covered or in a hidden tab shows nothing more until the user sees it again, so
/// a double tap, or two taps at once, show one screen. What it tries to show counts as dismissed.
/// Within one turn a screen may show several, and the app's scope, which nothing covers, may show
/// screens at any time.
@CoreActor
public final class Router {
  private let node: ScreenNode

  /// Creates the router of the screen that is being created, as ``Effects/init(fileID:line:)``
  /// does.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    node = ScreenNode.beingCreated(for: "Router()", fileID, line)
  }

  /// True if the user sees this screen, with nothing over it: neither a screen nor a dialog.
  public var isVisible: Bool {
    guard node.isOpen, node.core.navigation.visibleScreen == node.id else { return false }
    return !node.core.prompts.contains {
      $0.isDialog && ($0.screen == node.id || $0.screen == .app)
    }
  }

  // MARK: Showing screens

  /// Pushes a screen on the stack of this screen.
  @discardableResult
  public func push<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> {
    show(Route(screen, argument)) { core, owner, new in
      guard let stack = core.navigation.stack(for: owner) else { return nil }
      return core.navigation.push(new, on: stack, transition)
    }
  }

  /// Pushes a screen on the stack of this screen, or moves the one of its kind that is there to the
  /// top. The existing screen keeps its argument and state. If it is the root of the stack, it
  /// stays at the bottom, and the screens above it close.
  @discardableResult
  public func pushUnique<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> {
    if node.isOpen, let stack = node.core.navigation.stack(for: node.id),
      let existing = node.core.navigation.stacks[stack].screens.last(where: {
        node.core.screen($0)?.kind == S.kind
      })
    {
      node.core.apply(node.core.navigation.moveToTop(existing, on: stack, transition))
      return PresentedScreen(node.core.screen(existing), Route(screen, argument), by: node)
    }
    return push(screen, argument, transition: transition)
  }

  /// Presents a screen over everything so far. What is presented closes with this screen.
  @discardableResult
  public func present<S: Screen>(
    _ screen: S.Type, _ argument: S.Argument, as style: PresentationStyle = .sheet,
    transition: Transition? = nil
  ) -> PresentedScreen<S.Result> {
    show(Route(screen, argument)) { core, owner, new in
      core.navigation.present(new, style, by: owner, transition)
    }
  }

  /// Adds a screen to the queue of screens to show next. Each call of ``showNext()`` shows one: it
  /// presents it in a style, or pushes it on the visible stack.
  public func enqueue(_ route: Route, as style: PresentationStyle? = nil) {
    guard node.isOpen else { return }
    do {
      try node.core.checkRoom()
      node.core.enqueued.append((route, style))
    } catch {
      reportFailure(to: "queue", route, error)
    }
  }

  /// Shows the first screen of the queue.
  /// - Returns: False if the queue is empty, or if this screen is covered.
  @discardableResult
  public func showNext() -> Bool {
    guard node.isOpen, !node.core.enqueued.isEmpty, node.core.mayShow(node.id) else { return false }
    let (route, style) = node.core.enqueued.removeFirst()
    let _: PresentedScreen<Empty> = show(route) { core, owner, new in
      guard let style else { return core.navigation.push(new, on: core.navigation.visibleStack) }
      return core.navigation.present(new, style, by: owner)
    }
    return true
  }

  /// Closes all screens, including this one, and shows a new root.
  /// - Throws: What a factory throws. Nothing changes then.
  public func setRoot(_ root: App.Root) throws {
    if node.isOpen { try node.core.setRoot(root) }
  }

  // MARK: Closing screens
  //
  // All of them ask the screens that would close; see `Screen.mayLeave`.

  /// True unless this screen is the root of a stack, which ``close(transition:)`` cannot close.
  public var canClose: Bool { node.isOpen && node.core.navigation.canClose(node.id) }

  /// Closes this screen as the user does: for a Cancel button. If ``Screen/mayLeave()`` returns
  /// false, it stays, as with every method here that closes screens. A screen that is done calls
  /// ``Screen/finish(_:)``, which does not ask. At the root of a stack it only reports an error.
  public func close(transition: Transition? = nil) {
    guard node.isOpen else { return }
    if change({ [id = node.id] in $0.close(id, transition) }) == nil { reportRoot() }
  }

  /// Carries out the navigation for which ``Screen/mayLeave()`` returned false, such as opening a
  /// link or going back several screens. If there is none, closes this screen.
  public func leave() {
    guard node.isOpen else { return }
    if !node.root.resumeNavigation(), !node.core.close(node.id) { reportRoot() }
  }

  /// Forgets the navigation for which ``Screen/mayLeave()`` returned false, and in the app's scope
  /// the link that ``Scope/mayOpen(_:)`` does not allow yet. Call it when the user decides against
  /// it, so that it is not carried out later.
  public func stay() {
    node.root.refusedNavigation = nil
    if node.id == .app { node.core.waitingLink = nil }
  }

  private func reportRoot() {
    node.core.report(
      Fault(
        "Screen \(node.id) (\(node.kind)) is the root of its stack and cannot be closed. Select "
          + "another tab or swap the root instead."))
  }

  /// Closes up to `count` of the topmost screens, including modals that a tap outside does not
  /// dismiss.
  public func close(count: Int) { change { $0.closeTopmost(count: count) } }

  /// Closes everything but the root of the visible stack.
  public func closeStack() { change { $0.popToRoot() } }

  /// Closes everything except the visible root and the stacks of the other tabs.
  public func closeAll() { change { $0.closeAll() } }

  /// Closes everything that covers this screen, pushed or presented.
  public func popToSelf() {
    change { [id = node.id] in
      let above = $0.covers(of: id)
      return $0.uncover(id) ?? $0.closeModals { above.contains($0.screen) }
    }
  }

  /// Closes all modals, the topmost first.
  public func closeModals() { change { $0.closeModals() } }

  /// Selects a tab. The others keep their stacks.
  public func selectTab(_ id: String) {
    guard node.isOpen else { return }
    if let change = node.core.navigation.selectTab(id) {
      node.core.apply(change)
    } else {
      node.core.report(Fault("The app has no tab \"\(id)\"."))
    }
  }

  @discardableResult
  private func change(
    _ navigate: @escaping (inout Navigation) -> Navigation.Change?
  ) -> NavigationOutcome? {
    node.isOpen ? node.core.request(navigate) : nil
  }

  private func show<Result>(
    _ route: Route,
    _ place: (_ core: Core, _ owner: ScreenID, _ new: ScreenID) -> Navigation.Change?
  ) -> PresentedScreen<Result> {
    guard node.isOpen, node.core.mayShow(node.id) else {
      return PresentedScreen(nil, route, by: node)
    }
    let core = node.core
    do {
      let new = try core.make(route)
      if let change = place(core, node.id, new.id) {
        core.presenter = node.id
        core.apply(change)
        return PresentedScreen(new, route, by: node)
      }
      core.report(
        Fault(
          "Screen \(node.id) (\(node.kind)) is on no stack yet, so nothing can be pushed on it. Push once it "
            + "is shown, or present."))
      core.end([new.id])
    } catch {
      reportFailure(to: "show", route, error)
    }
    return PresentedScreen(nil, route, by: node)
  }

  private func reportFailure(to action: String, _ route: Route, _ error: any Error) {
    node.core.report(
      Fault(error, "Screen \(node.id) (\(node.kind)) cannot \(action) \"\(route.kind)\": "))
  }
}

// MARK: Screens without an argument

extension Router {
  /// Pushes a screen on the stack of this screen.
  @discardableResult
  public func push<S: Screen>(
    _ screen: S.Type, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    push(screen, Empty(), transition: transition)
  }

  /// Pushes a screen on the stack of this screen, or moves the one of its kind to the top.
  @discardableResult
  public func pushUnique<S: Screen>(
    _ screen: S.Type, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    pushUnique(screen, Empty(), transition: transition)
  }

  /// Presents a screen over everything so far.
  @discardableResult
  public func present<S: Screen>(
    _ screen: S.Type, as style: PresentationStyle = .sheet, transition: Transition? = nil
  ) -> PresentedScreen<S.Result> where S.Argument == Empty {
    present(screen, Empty(), as: style, transition: transition)
  }
}
