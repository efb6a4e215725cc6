extension Navigation {
  private enum Closing {
    case modal(Int)
    case presentation(Int)
    /// Removes the screen and those above it, down to the screen below.
    case pop(to: ScreenID, Place)
  }

  /// The way to take one step back; nil at the root.
  private var backward: Closing? {
    if !modals.isEmpty { return .modal(modals.count - 1) }
    guard let top = self[visiblePlace].last else { return nil }
    return closing(top)
  }

  /// The way to close a screen from within the app; nil for the root of a stack.
  private func closing(_ screen: ScreenID) -> Closing? {
    if let modal = modals.firstIndex(where: { $0.screen == screen }) { return .modal(modal) }
    guard let place = place(of: screen), let index = self[place].firstIndex(of: screen)
    else { return nil }
    if index > 0 { return .pop(to: self[place][index - 1], place) }
    guard case .presentation(let presentation) = place else { return nil }
    return .presentation(presentation)
  }

  package func canClose(_ screen: ScreenID) -> Bool { closing(screen) != nil }

  /// Closes a screen and those above it on its stack.
  /// - Returns: nil for the root of a stack.
  package mutating func close(_ screen: ScreenID, _ transition: Transition? = nil) -> Change? {
    closing(screen).map { carryOut($0, transition) }
  }

  /// Closes a screen as the user does: with the whole presentation that it is in.
  /// - Returns: nil for the root of a stack, and for a modal that a tap outside does not dismiss.
  package mutating func dismiss(_ screen: ScreenID) -> Change? {
    if let modal = modals.first(where: { $0.screen == screen }) {
      return dismiss(presentation: modal.id)
    }
    if case .presentation(let index)? = place(of: screen),
      self[.presentation(index)].contains(screen)
    {
      return dismiss(from: index)
    }
    return close(screen)
  }

  /// - Parameter id: The id of a presentation or a modal.
  /// - Returns: nil for an unknown id, and for a modal that a tap outside does not dismiss.
  package mutating func dismiss(presentation id: String) -> Change? {
    if let index = modals.firstIndex(where: { $0.id == id }) {
      return modals[index].background.dismissesOnTap ? dismissModal(at: index) : nil
    }
    return presented.firstIndex { $0.id == id }.map { dismiss(from: $0) }
  }

  /// Takes one step back: closes the topmost modal, screen, or presentation.
  /// - Returns: nil at the root, and for a modal that a tap outside does not dismiss.
  package mutating func back() -> Change? {
    if let modal = modals.last, !modal.background.dismissesOnTap { return nil }
    return backward.map { carryOut($0) }
  }

  private mutating func carryOut(_ closing: Closing, _ transition: Transition? = nil) -> Change {
    switch closing {
    case .modal(let index): dismissModal(at: index, transition)
    case .presentation(let index): dismiss(from: index, transition)
    case .pop(let below, let place): popTo(below, at: place, transition)
    }
  }

  // MARK: Several at once

  /// Closes everything that covers a screen: the screens above it on its stack, the presentations
  /// over that stack, and every modal.
  /// - Returns: nil if the screen is on no stack.
  package mutating func uncover(_ screen: ScreenID) -> Change? {
    guard let place = place(of: screen), self[place].contains(screen) else { return nil }
    return closeModals() + bringToFront(place) + popTo(screen, at: place)
  }

  package mutating func closeAll() -> Change { closeModals() + dismiss(from: 0) + popToRoot() }

  /// Removes everything but the root from the visible stack.
  package mutating func popToRoot() -> Change {
    let place = visiblePlace
    return self[place].first.map { popTo($0, at: place) } ?? Change()
  }

  package mutating func back(_ count: Int) -> Change {
    var change = Change()
    for _ in 0..<max(count, 0) {
      guard let step = backward.map({ carryOut($0) }) else { break }
      change += step
    }
    return change
  }

  /// Shows the screens of a deep link on the root of a tab, and closes everything that covers them.
  /// - Parameter tab: nil for the stack that is visible once nothing covers it. An app that runs
  ///   without its tabs ignores it.
  /// - Returns: nil if no tab has this id.
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

  package mutating func closeModals() -> Change {
    var change = Change()
    while !modals.isEmpty { change += dismissModal(at: modals.count - 1) }
    return change
  }

  /// Dismisses everything over a stack, and selects its tab.
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
