extension Navigation {
  /// Closes all that covers a screen: what is above it on its stack, what is presented over that
  /// stack, and every modal.
  /// - Returns: nil where the screen is on no stack.
  package mutating func uncover(_ screen: ScreenID) -> Change? {
    guard let place = place(of: screen), self[place].contains(screen) else { return nil }
    return closeModals() + bringToFront(place) + popTo(screen, at: place)
  }

  /// Closes everything but the roots of the stacks, as far as the person can see them.
  package mutating func closeAll() -> Change { closeModals() + dismiss(from: 0) + popToRoot() }

  /// Takes everything off the visible stack but its root.
  package mutating func popToRoot() -> Change {
    let place = visiblePlace
    return self[place].first.map { popTo($0, at: place) } ?? Change()
  }

  /// Takes several steps back, as many as there are.
  package mutating func back(_ count: Int) -> Change {
    var change = Change()
    for _ in 0..<max(count, 0) {
      guard let step = back() else { break }
      change += step
    }
    return change
  }

  /// Shows screens on the root of a tab, with nothing over them: where a deep link leads.
  /// - Parameter tab: nil for the stack that is visible once nothing covers it; so it is, too, for an
  ///   app that runs without its tabs.
  /// - Returns: nil where there is no such tab.
  package mutating func open(_ screens: [ScreenID], tab: String?) -> Change? {
    var change = closeModals() + dismiss(from: 0)
    if let tab, case .tabs = root {
      guard let selected = selectTab(tab) else { return nil }
      change += selected
    }
    change += popToRoot()
    for screen in screens { change += push(screen, at: visiblePlace) }
    return change
  }

  /// Closes all modals, top first.
  package mutating func closeModals() -> Change {
    var change = Change()
    while !modals.isEmpty { change += dismissModal(at: modals.count - 1) }
    return change
  }

  /// Dismisses what is presented over a stack, and selects its tab.
  private mutating func bringToFront(_ place: Place) -> Change {
    switch place {
    case .root: return dismiss(from: 0)
    case .presentation(let index): return dismiss(from: index + 1)
    case .tab(let index):
      guard case .tabs(_, let tabs) = root else { return Change() }
      return dismiss(from: 0) + (selectTab(tabs[index].id) ?? Change())
    }
  }
}
