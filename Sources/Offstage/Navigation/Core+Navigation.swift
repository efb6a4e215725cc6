extension Core {
  /// Shows the app's root.
  /// - Throws: `RouteError`, or what a factory throws; nothing is shown then.
  package func start() throws { try setRoot(app.root) }

  func setRoot(_ root: App.Root) throws {
    switch root {
    case .stack(let route):
      let node = try make(route)
      show(node)
    case .tabs(let tabs):
      guard let selected = tabs.first?.id else { throw RouteError.noTabs }
      let screens = try makeAll(tabs.map(\.route))
      let stacks = zip(tabs, screens).map { tab, screen in
        Navigation.TabStack(id: tab.id, title: tab.title, icon: tab.icon, screens: [screen])
      }
      apply(navigation.setRoot(.tabs(selected: selected, stacks)))
    }
  }

  /// Shows one screen alone.
  package func show(_ node: ScreenNode) { apply(navigation.setRoot(.stack([node.id]))) }

  /// Closes every screen; nothing of them is left.
  package func closeAll() { apply(navigation.setRoot(.stack([]))) }

  /// Carries out what the navigation decided.
  func apply(_ change: Navigation.Change) {
    guard !change.commands.isEmpty else { return }
    self.change {
      $0.navigation = true
      $0.commands += change.commands
    }
    end(change.closed)
  }

  func canClose(_ screen: ScreenID) -> Bool { navigation.canClose(screen) }

  /// Closes one screen and what is above it on its stack.
  /// - Returns: false at the root of a stack, which stays.
  @discardableResult
  func close(_ screen: ScreenID, _ transition: Transition? = nil) -> Bool {
    guard let change = navigation.close(screen, transition) else { return false }
    apply(change)
    return true
  }

  // MARK: What the person asks for

  /// - Returns: false at the root.
  package func back() -> Bool { asked { $0.back() } }

  /// - Returns: false at the root of a stack, which stays.
  package func dismiss(_ screen: ScreenID) -> Bool { asked { $0.dismiss(screen) } }

  /// - Parameter id: of a presentation or a modal.
  /// - Returns: false where there is none, or where it must be answered by its own buttons.
  package func dismiss(presentation id: String) -> Bool { asked { $0.dismiss(presentation: id) } }

  /// - Returns: false where the screen is on no stack.
  package func popTo(_ screen: ScreenID) -> Bool { asked { $0.uncover(screen) } }

  /// - Returns: false where there is no such tab.
  package func selectTab(_ id: String) -> Bool { asked { $0.selectTab(id) } }

  /// Opens a URL: selects its tab, clears what covers it, and puts its screens on that tab's root.
  /// - Throws: `RouteError`, or what a factory throws. Where a screen cannot be made, nothing changes.
  package func open(_ url: String) throws {
    for link in app.links {
      guard let match = link.match(url), let routes = link.routes(match) else { continue }
      let made = try makeAll(routes)
      guard asked({ $0.open(made, tab: link.tab) }) else {
        end(made.reversed())
        throw RouteError.unknownTab(link.tab ?? "")
      }
      // Where a screen with something to lose has asked first, these are not shown after all.
      end(made.filter { navigation.place(of: $0) == nil }.reversed())
      return
    }
    throw RouteError.unknownURL(url)
  }

  /// Does what the person asks for, unless a screen that would close has something to lose: that one
  /// asks first, and nothing changes yet.
  /// - Returns: false where there is nothing to do.
  private func asked(_ step: (inout Navigation) -> Navigation.Change?) -> Bool {
    var trial = navigation
    guard let closing = step(&trial)?.closed else { return false }
    for id in closing {
      guard screens[id]?.screen?.mayLeave() ?? true else { return true }
    }
    // Not the trial: a screen that is asked may have gone elsewhere itself.
    if let change = step(&navigation) { apply(change) }
    return true
  }

  // MARK: Helpers

  /// Makes the screens of all routes, or none.
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
