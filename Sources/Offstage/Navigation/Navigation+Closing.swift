extension Navigation {
  package func canClose(_ screen: ScreenID) -> Bool {
    if modal(of: screen) != nil { return true }
    guard let stack = stack(of: screen) else { return false }
    return stacks[stack].screens.first != screen || stack >= firstPresentation
  }

  /// Closes a screen and those above it on its stack.
  /// - Returns: nil for the root of a stack.
  package mutating func close(_ screen: ScreenID, _ transition: Transition? = nil) -> Change? {
    if let modal = modal(of: screen) { return dismissModal(at: modal, transition) }
    guard let stack = stack(of: screen), let index = stacks[stack].screens.lastIndex(of: screen)
    else { return nil }
    if index > 0 { return popTo(stacks[stack].screens[index - 1], on: stack, transition) }
    return stack < firstPresentation ? nil : dismiss(from: stack, transition)
  }

  /// Closes a screen as the user does: along with the whole presentation that it is in.
  /// - Returns: nil for the root of a stack, and for a modal that a tap outside does not dismiss.
  package mutating func dismiss(_ screen: ScreenID) -> Change? {
    if let modal = modal(of: screen) { return dismiss(presentation: modals[modal].id) }
    if let stack = stack(of: screen), stack >= firstPresentation { return dismiss(from: stack) }
    return close(screen)
  }

  /// - Parameter id: The id of a presentation or a modal.
  /// - Returns: nil for an unknown id, and for a modal that a tap outside does not dismiss.
  package mutating func dismiss(presentation id: String) -> Change? {
    if let index = modals.lastIndex(where: { $0.id == id }) {
      return modals[index].background.dismissesOnTap ? dismissModal(at: index) : nil
    }
    return stacks.lastIndex { $0.presentation == id }.map { dismiss(from: $0) }
  }

  /// False at the root, and under a modal that a tap outside does not dismiss.
  package var canGoBack: Bool {
    if let modal = modals.last { return modal.background.dismissesOnTap }
    return visibleScreen.map(canClose) ?? false
  }

  private mutating func closeTopmost() -> Change? { visibleScreen.flatMap { close($0) } }

  // MARK: Several at once

  /// Closes everything that covers a screen: the screens above it on its stack, the presentations
  /// over that stack, and every modal.
  /// - Returns: nil if the screen is on no stack.
  package mutating func uncover(_ screen: ScreenID) -> Change? {
    guard stack(of: screen) != nil else { return nil }
    var change = closeModals()
    // A screen that a modal has presented closes with it.
    guard let stack = stack(of: screen) else { return change }
    change += dismiss(from: firstAbove(stack))
    if let tab = stacks[stack].tab, let selected = selectTab(tab) { change += selected }
    return change + popTo(screen, on: stack)
  }

  package mutating func closeAll() -> Change { closeModals() + dismissAll() + popToRoot() }

  /// Removes everything but the root from the visible stack.
  package mutating func popToRoot() -> Change {
    let stack = visibleStack
    return stacks[stack].screens.first.map { popTo($0, on: stack) } ?? Change()
  }

  /// Closes up to `count` of the topmost screens, including those that the user cannot close.
  package mutating func closeTopmost(count: Int) -> Change {
    var change = Change()
    for _ in 0..<max(count, 0) {
      guard let step = closeTopmost() else { break }
      change += step
    }
    return change
  }

  /// Shows the screens of a deep link on the root of a tab, and closes everything that covers them.
  /// - Parameter tab: nil for the stack that is visible once nothing covers it. An app that runs
  ///   without its tabs ignores it.
  /// - Returns: nil if no tab has this id.
  package mutating func open(_ screens: [ScreenID], tab: String?) -> Change? {
    if let tab, selectedTab != nil, !stacks.contains(where: { $0.tab == tab }) { return nil }
    var change = closeModals() + dismissAll()
    if let tab, let selected = selectTab(tab) { change += selected }
    change += popToRoot()
    for screen in screens { change += push(screen, on: visibleStack) }
    return change
  }
}
