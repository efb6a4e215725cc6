package import OffstageJSON

extension Core {
  /// Shows the app's root.
  /// - Throws: `NavigationError`, or what a factory throws. Nothing is shown then.
  package func start() throws {
    try startScope()
    try setRoot(app.root)
  }

  func setRoot(_ root: App.Root) throws {
    switch root {
    case .stack(let route):
      show(try make(route))
    case .tabs(let tabs):
      if tabs.isEmpty { throw NavigationError.noTabs }
      var ids: Set<String> = []
      for tab in tabs where !ids.insert(tab.id).inserted {
        throw NavigationError.duplicateTab(tab.id)
      }
      let screens = try makeAll(tabs.map(\.route))
      let stacks = zip(tabs, screens).map { tab, screen in
        Navigation.Stack(kind: .tab(id: tab.id, icon: tab.icon), screens: [screen])
      }
      apply(navigation.setRoot(stacks))
      for tab in tabs { tabLabels[tab.id, default: TabLabel()].title = tab.title }
    }
  }

  package func show(_ node: ScreenNode) { setRoot([node.id]) }

  package func closeAll() { setRoot([]) }

  private func setRoot(_ screens: [ScreenID]) {
    apply(navigation.setRoot([.init(kind: .root, screens: screens)]))
  }

  func apply(_ change: Navigation.Change) {
    guard !change.commands.isEmpty else { return }
    checkOrigin("the navigation was changed")
    navigationCount += 1
    self.change {
      $0.navigation.formUnion(change.extent)
      $0.commands += change.commands
    }
    for command in change.commands where command.kind.opens {
      for node in command.screens.compactMap({ screens[$0] }) { node.url = url(of: node) }
    }
    end(change.closed)
  }

  /// True if a screen may show another one: it is not covered, or it has covered itself in this
  /// turn. Nothing covers the app's scope.
  func mayShow(_ screen: ScreenID) -> Bool {
    guard screen != presenter, navigation.isCovered(screen) else { return true }
    onLog(
      LogRecord(
        level: .info, message: "the screen is covered, so it shows nothing", cause: cause?.id,
        screen: screen))
    return false
  }

  /// Closes a screen and those above it on its stack, without asking them.
  /// - Returns: False for the root of a stack, which stays open.
  @discardableResult
  func close(_ screen: ScreenID, _ transition: Transition? = nil) -> Bool {
    guard let change = navigation.close(screen, transition) else { return false }
    apply(change)
    return true
  }

  // MARK: Requests of the user

  /// Closes the visible screen, even if it agrees only once others have come.
  /// - Returns: nil at the root, and for a modal that a tap outside does not dismiss.
  package func back() -> NavigationOutcome? {
    guard navigation.canGoBack, let screen = navigation.visibleScreen else { return nil }
    return request { $0.close(screen) }
  }

  /// - Returns: nil for the root of a stack, which stays open.
  package func dismiss(_ screen: ScreenID) -> NavigationOutcome? { request { $0.dismiss(screen) } }

  /// - Parameter id: The id of a presentation or a modal.
  /// - Returns: nil for an unknown id, and for a modal that only its own buttons dismiss.
  package func dismiss(presentation id: String) -> NavigationOutcome? {
    request { $0.dismiss(presentation: id) }
  }

  /// - Returns: nil if the screen is on no stack.
  package func popTo(_ screen: ScreenID) -> NavigationOutcome? { request { $0.uncover(screen) } }

  /// - Returns: nil if no tab has this id, or while a sheet or cover is over the tabs.
  package func selectTab(_ id: String) -> NavigationOutcome? {
    request { $0.hasPresentations ? nil : $0.selectTab(id) }
  }

  /// Opens a URL: selects its tab, closes what covers it, and pushes its screens on the tab's root.
  /// If the screen that it leads to is open there, that one is uncovered and keeps its state.
  /// Keeps the URL for later while the app's scope does not allow it.
  /// - Parameter agreed: The screens that have agreed to leave.
  /// - Throws: `NavigationError`, or what a factory throws. Nothing changes then.
  @discardableResult
  package func open(_ url: String, agreed: Set<ScreenID> = []) throws -> NavigationOutcome {
    for link in app.links {
      // A URL that leads nowhere does not wait.
      guard let match = link.match(url, app.dependencies), let routes = try link.routes(match)
      else {
        continue
      }
      guard mayOpen(link) else {
        waitingLink = WaitingLink(link: link, url: url, cause: cause)
        (scope?.part as? any Scope)?.linkWaits(link)
        return .asked
      }
      let existing = routes.last.flatMap { openScreen($0, tab: link.tab) }
      let made = existing == nil ? try makeAll(routes) : []
      let outcome = request(agreed: agreed) {
        if let existing { $0.uncover(existing) } else { $0.open(made, tab: link.tab) }
      } resume: { [unowned self] agreed in
        do { try open(url, agreed: agreed) } catch { report(Fault(error)) }
      }
      guard let outcome else {
        end(made.reversed())
        throw NavigationError.unknownTab(link.tab ?? "")
      }
      waitingLink = nil
      // If a screen has refused to leave, the new ones are not shown after all.
      end(made.filter { navigation.stack(of: $0) == nil }.reversed())
      return outcome
    }
    throw NavigationError.unknownURL(url)
  }

  /// The screen that a route leads to, if it is open on a tab's stack, or visible over that tab.
  /// - Parameter tab: nil for the selected tab.
  private func openScreen(_ route: Route, tab: String?) -> ScreenID? {
    let selected = navigation.selectedTab
    let wanted = selected == nil ? nil : tab ?? selected
    let visible = wanted == selected ? navigation.stacks[navigation.visibleStack].screens : []
    let open = (navigation.stacks.first { $0.tab == wanted }?.screens ?? []) + visible
    return open.last { screens[$0]?.route?.leads(to: route) == true }
  }

  /// Opens the link that waits, once the app's scope agrees.
  func openWaitingLink() {
    guard let waiting = waitingLink, mayOpen(waiting.link) else { return }
    during(waiting.cause) {
      waitingLink = nil
      do { try open(waiting.url) } catch { report(Fault(error)) }
    }
  }

  private func mayOpen(_ link: Link) -> Bool {
    (scope?.part as? any Scope)?.mayOpen(link) ?? true
  }

  /// Navigates on behalf of the user, by a gesture or a button, unless a screen that would close
  /// refuses. Once that screen agrees, the newest navigation that it has refused is repeated, by
  /// `resume` if given; see `Router.leave`.
  /// - Returns: nil if `navigate` returns nil.
  func request(
    agreed: Set<ScreenID> = [], _ navigate: @escaping (inout Navigation) -> Navigation.Change?,
    resume: ((Set<ScreenID>) -> Void)? = nil
  ) -> NavigationOutcome? {
    let before = navigationCount
    var trial = navigation
    guard let closing = navigate(&trial)?.closed else { return nil }
    for id in closing where !agreed.contains(id) {
      guard let node = screens[id], let screen = node.part as? any Screen, !screen.mayLeave() else {
        continue
      }
      node.refusedNavigation = RefusedNavigation(cause: cause) { [unowned self] in
        let agreed = agreed.union([id])
        if let resume { resume(agreed) } else { _ = request(agreed: agreed, navigate) }
      }
      return .asked
    }
    // Start over from the actual state: `mayLeave` may have changed it, even to the wanted one.
    if let change = navigate(&navigation) { apply(change) }
    return navigationCount == before ? .unchanged : .done
  }

  /// Creates the screens of all routes, or none.
  private func makeAll(_ routes: [Route]) throws -> [ScreenID] {
    var made: [ScreenID] = []
    do {
      for route in routes { made.append(try make(route).id) }
    } catch {
      end(made.reversed())
      throw error
    }
    return made
  }
}

/// A navigation by the user that a screen has refused so far.
struct RefusedNavigation {
  let cause: Cause?
  let repeatNavigation: () -> Void
}

/// A link that the app's scope does not open yet.
struct WaitingLink {
  let link: Link
  let url: String
  let cause: Cause?
}

extension Fault {
  /// - Parameter place: The beginning of the sentence, up to the error.
  init(_ error: any Error, _ place: String = "") {
    self.init(place + "\(error)", isOverload: (error as? NavigationError)?.isOverload == true)
  }
}

/// The outcome of a navigation that the user requested.
package enum NavigationOutcome: String, CaseIterable, Sendable {
  /// It was carried out.
  case done
  /// Nothing moves yet: a screen asks the user first, or a link waits until the app is ready.
  case asked
  /// There was nothing to do.
  case unchanged = "none"
}

/// Why a route or a link leads nowhere, or why a root cannot be shown.
package enum NavigationError: Error, CustomStringConvertible {
  case unknownKind(String)
  case wrongArgument(String, JSONMismatch)
  case unknownURL(String)
  case unknownTab(String)
  case duplicateTab(String)
  case noTabs
  case tooManyScreens(Int)

  /// True if the app has too many screens, which is not its mistake.
  package var isOverload: Bool { if case .tooManyScreens = self { true } else { false } }

  package var description: String {
    switch self {
    case .unknownKind(let kind):
      "The app has no screen \"\(kind)\". Register a factory for it in App.screens."
    case .wrongArgument(let kind, let mismatch):
      "The screen \"\(kind)\" cannot be opened with this argument: expected \(mismatch.expected) "
        + "at \"\(mismatch.path)\", found \(mismatch.found)."
    case .unknownURL(let url):
      "No link of the app matches \(url)."
    case .unknownTab(let tab):
      "The app has no tab \"\(tab)\"."
    case .duplicateTab(let id):
      "Two tabs have the id \"\(id)\". Front ends select a tab by its id: rename one of them."
    case .noTabs:
      "A root of tabs needs at least one tab."
    case .tooManyScreens(let limit):
      "\(limit) screens are open or queued; close some first."
    }
  }
}
