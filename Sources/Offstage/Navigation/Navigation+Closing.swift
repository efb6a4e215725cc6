extension Navigation {
  /// What closing a screen takes: whatever shows it goes.
  private enum Closing {
    case modal(Int)
    case presentation(Int)
    /// The screen and what is above it come off the stack, down to the screen below.
    case pop(to: ScreenID, Place)
  }

  /// What one step back takes off.
  private var backward: Closing? {
    if !modals.isEmpty { return .modal(modals.count - 1) }
    guard let top = self[visiblePlace].last else { return nil }
    return closing(top)
  }

  /// How a screen that the program ends goes away; nil at the root of a stack.
  private func closing(_ screen: ScreenID) -> Closing? {
    if let modal = modals.firstIndex(where: { $0.screen == screen }) { return .modal(modal) }
    guard let place = place(of: screen), let index = self[place].firstIndex(of: screen)
    else { return nil }
    if index > 0 { return .pop(to: self[place][index - 1], place) }
    guard case .presentation(let presentation) = place else { return nil }
    return .presentation(presentation)
  }

  package func canClose(_ screen: ScreenID) -> Bool { closing(screen) != nil }

  /// Closes one screen and what is above it on its stack.
  /// - Returns: nil at the root of a stack.
  package mutating func close(_ screen: ScreenID, _ transition: Transition? = nil) -> Change? {
    closing(screen).map { carryOut($0, transition) }
  }

  /// Closes what shows a screen, as the person does: a presentation goes with all that was pushed in
  /// it.
  /// - Returns: nil at the root of a stack, and for a modal that a tap outside does not dismiss.
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

  /// - Parameter id: of a presentation or a modal.
  /// - Returns: nil where there is none, and for a modal that a tap outside does not dismiss.
  package mutating func dismiss(presentation id: String) -> Change? {
    if let index = modals.firstIndex(where: { $0.id == id }) {
      return modals[index].background.dismissesOnTap ? dismissModal(at: index) : nil
    }
    return presented.firstIndex { $0.id == id }.map { dismiss(from: $0) }
  }

  /// One step back: the modal, the screen or the presentation on top.
  /// - Returns: nil at the root.
  package mutating func back() -> Change? { backward.map { carryOut($0) } }

  private mutating func carryOut(_ closing: Closing, _ transition: Transition? = nil) -> Change {
    switch closing {
    case .modal(let index): dismissModal(at: index, transition)
    case .presentation(let index): dismiss(from: index, transition)
    case .pop(let below, let place): popTo(below, at: place, transition)
    }
  }
}
