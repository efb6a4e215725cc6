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
      let screens = try makeAll(tabs.map(\.route))
      let stacks = zip(tabs, screens).map { tab, screen in
        Navigation.TabStack(id: tab.id, title: tab.title, icon: tab.icon, screens: [screen])
      }
      apply(navigation.setRoot(.tabs(selected: tabs.first?.id ?? "", stacks)))
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
  func close(_ screen: ScreenID) -> Bool { applyIfAny(navigation.close(screen)) }

  // MARK: What a front end asks for

  /// - Returns: false at the root.
  package func back() -> Bool { applyIfAny(navigation.back()) }

  /// - Returns: false at the root of a stack, which stays.
  package func dismiss(_ screen: ScreenID) -> Bool { applyIfAny(navigation.dismiss(screen)) }

  /// - Parameter id: of a presentation or a modal.
  /// - Returns: false where there is none.
  package func dismiss(presentation id: String) -> Bool {
    applyIfAny(navigation.dismiss(presentation: id))
  }

  /// Closes all that covers a screen: what is above it on its stack, and what is presented over
  /// that stack.
  /// - Returns: false where the screen is on no stack.
  package func popTo(_ screen: ScreenID) -> Bool {
    guard let place = navigation.place(of: screen), navigation[place].contains(screen)
    else { return false }
    uncover(place)
    apply(navigation.popTo(screen, at: place))
    return true
  }

  /// - Returns: false where there is no such tab.
  package func selectTab(_ id: String) -> Bool { applyIfAny(navigation.selectTab(id)) }

  /// Opens a URL: selects its tab, clears what covers it, and puts its screens on that tab's root.
  /// - Throws: `RouteError`, or what a factory throws. Where a screen cannot be made, nothing changes.
  package func open(_ url: String) throws {
    for link in app.links {
      guard let match = link.match(url), let routes = link.routes(match) else { continue }
      return try show(routes, tab: link.tab)
    }
    throw RouteError.unknownURL(url)
  }

  private func show(_ routes: [Route], tab: String?) throws {
    let made = try makeAll(routes)
    apply(navigation.dismiss(from: 0))
    while !navigation.modals.isEmpty {
      apply(navigation.dismissModal(at: navigation.modals.count - 1))
    }
    if let tab { _ = selectTab(tab) }
    let place = navigation.visiblePlace
    if let bottom = navigation[place].first { apply(navigation.popTo(bottom, at: place)) }
    for screen in made { apply(navigation.push(screen, at: place)) }
  }

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

  /// Dismisses what is presented over a stack, and selects its tab.
  private func uncover(_ place: Navigation.Place) {
    switch place {
    case .root: apply(navigation.dismiss(from: 0))
    case .presentation(let index): apply(navigation.dismiss(from: index + 1))
    case .tab(let index):
      apply(navigation.dismiss(from: 0))
      if case .tabs(_, let tabs) = navigation.root { _ = selectTab(tabs[index].id) }
    }
  }

  private func applyIfAny(_ change: Navigation.Change?) -> Bool {
    guard let change else { return false }
    apply(change)
    return true
  }
}
