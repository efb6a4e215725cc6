/// The stacks of screens: a value that makes decisions, without side effects.
///
/// Every mutation returns its effects, the commands for the front end and the screens to close. The
/// core carries them out.
package struct Navigation: Hashable, Sendable {
  package enum Root: Hashable, Sendable {
    case stack([ScreenID])
    case tabs(selected: String, [TabStack])
  }

  package struct TabStack: Hashable, Sendable {
    package let id: String
    package let icon: String
    package var screens: [ScreenID]
  }

  /// A stack of screens over the root and over earlier presentations.
  package struct Presentation: Hashable, Sendable {
    package let id: String
    package let style: PresentationStyle
    package var screens: [ScreenID]
  }

  /// One screen in a box over everything else.
  package struct Modal: Hashable, Sendable {
    package let id: String
    package let screen: ScreenID
    package let background: ModalBackground
    /// The screen that showed it, and that takes it along when it closes.
    package let owner: ScreenID
  }

  /// The effects of a mutation.
  package struct Change: Hashable, Sendable {
    package var commands: [NavigationCommand] = []
    /// Screens to close, the topmost first.
    package var closed: [ScreenID] = []
  }

  package private(set) var root: Root = .stack([])
  package private(set) var presented: [Presentation] = []
  package private(set) var modals: [Modal] = []
  private var lastPresentation = 0
  private var lastModal = 0

  // MARK: Places

  /// The position of a stack.
  package enum Place: Hashable, Sendable {
    case root
    case tab(Int)
    case presentation(Int)
  }

  package subscript(place: Place) -> [ScreenID] {
    get {
      switch (place, root) {
      case (.root, .stack(let screens)): screens
      case (.tab(let index), .tabs(_, let tabs)): tabs[index].screens
      case (.presentation(let index), _): presented[index].screens
      case (.root, .tabs), (.tab, .stack): []
      }
    }
    set {
      switch (place, root) {
      case (.root, .stack): root = .stack(newValue)
      case (.tab(let index), .tabs(let selected, var tabs)):
        tabs[index].screens = newValue
        root = .tabs(selected: selected, tabs)
      case (.presentation(let index), _): presented[index].screens = newValue
      case (.root, .tabs), (.tab, .stack): break
      }
    }
  }

  /// All stacks, the topmost last.
  private var places: [Place] {
    let bases: [Place] =
      switch root {
      case .stack: [.root]
      case .tabs(_, let tabs): tabs.indices.map { .tab($0) }
      }
    return bases + presented.indices.map { .presentation($0) }
  }

  /// The stack of a screen; for the screen of a modal, the stack below it.
  package func place(of screen: ScreenID) -> Place? {
    if screen == .app { return visiblePlace }
    if let place = places.first(where: { self[$0].contains(screen) }) { return place }
    return modals.contains { $0.screen == screen } ? visiblePlace : nil
  }

  package var visiblePlace: Place {
    if !presented.isEmpty { return .presentation(presented.count - 1) }
    guard case .tabs(let selected, let tabs) = root else { return .root }
    return .tab(tabs.firstIndex { $0.id == selected } ?? 0)
  }

  /// The screen that the user sees; nil if there is none.
  package var visibleScreen: ScreenID? { modals.last?.screen ?? self[visiblePlace].last }

  /// The screens over another one: those above it on its stack, and everything presented over that.
  package func covers(of screen: ScreenID) -> [ScreenID] {
    if let index = modals.firstIndex(where: { $0.screen == screen }) {
      return modals[(index + 1)...].map(\.screen)
    }
    guard let place = places.first(where: { self[$0].contains(screen) }) else { return [] }
    let above = self[place].drop { $0 != screen }.dropFirst()
    let over = if case .presentation(let index) = place { index + 1 } else { 0 }
    return above + presented[over...].flatMap(\.screens) + modals.map(\.screen)
  }

  // MARK: The root

  package mutating func setRoot(_ newRoot: Root) -> Change {
    var change = closeModals() + dismiss(from: 0)
    let old = places.reversed().flatMap { self[$0].reversed() }
    change.closed += old
    root = newRoot
    change.commands.append(NavigationCommand(.setRoot, places.flatMap { self[$0] }))
    return change
  }

  /// - Returns: nil if no tab has this id.
  package mutating func selectTab(_ id: String) -> Change? {
    guard case .tabs(let selected, let tabs) = root, let tab = tabs.first(where: { $0.id == id })
    else { return nil }
    guard selected != id else { return Change() }
    root = .tabs(selected: id, tabs)
    return Change(commands: [NavigationCommand(.selectTab, tab.screens.suffix(1), tab: id)])
  }

  // MARK: Stacks

  package mutating func push(
    _ screen: ScreenID, at place: Place, _ transition: Transition? = nil
  ) -> Change {
    self[place].append(screen)
    return Change(commands: [NavigationCommand(.push, [screen], transition: transition)])
  }

  /// Moves a screen to the top of its stack, keeping the instance.
  package mutating func moveToTop(
    _ screen: ScreenID, at place: Place, _ transition: Transition? = nil
  ) -> Change {
    guard self[place].last != screen, let index = self[place].firstIndex(of: screen) else {
      return Change()
    }
    self[place].remove(at: index)
    self[place].append(screen)
    return Change(commands: [NavigationCommand(.moveToTop, [screen], transition: transition)])
  }

  package mutating func popTo(
    _ screen: ScreenID, at place: Place, _ transition: Transition? = nil
  ) -> Change {
    guard let index = self[place].firstIndex(of: screen) else { return Change() }
    let popped = Array(self[place][(index + 1)...].reversed())
    guard !popped.isEmpty else { return Change() }
    var change = closeModals(of: popped)
    self[place].removeSubrange((index + 1)...)
    let kind: NavigationCommand.Kind = popped.count == 1 ? .pop : .popTo
    let screens = kind == .pop ? popped : [screen]
    change.commands.append(NavigationCommand(kind, screens, transition: transition))
    change.closed += popped
    return change
  }

  // MARK: Presentations and modals

  package mutating func present(
    _ screen: ScreenID, _ style: PresentationStyle, _ transition: Transition? = nil
  ) -> Change {
    lastPresentation += 1
    let id = "p\(lastPresentation)"
    presented.append(Presentation(id: id, style: style, screens: [screen]))
    return Change(commands: [
      NavigationCommand(.present, [screen], presentation: id, transition: transition)
    ])
  }

  /// Removes a presentation and everything presented over it, the topmost first.
  package mutating func dismiss(from index: Int, _ transition: Transition? = nil) -> Change {
    // Modals are on top of every presentation, so they close first.
    var change = closeModals(of: presented.dropFirst(index).flatMap(\.screens))
    while presented.count > index {
      let top = presented[presented.count - 1]
      let screens = Array(top.screens.reversed())
      presented.removeLast()
      change.commands.append(
        NavigationCommand(.dismiss, screens, presentation: top.id, transition: transition))
      change.closed += screens
    }
    return change
  }

  package mutating func showModal(
    _ screen: ScreenID, _ background: ModalBackground, by owner: ScreenID,
    _ transition: Transition? = nil
  ) -> Change {
    lastModal += 1
    let id = "m\(lastModal)"
    modals.append(Modal(id: id, screen: screen, background: background, owner: owner))
    return Change(
      commands: [NavigationCommand(.showModal, [screen], modal: id, transition: transition)])
  }

  package mutating func dismissModal(
    at index: Int, _ transition: Transition? = nil
  ) -> Change {
    let modal = modals.remove(at: index)
    var change = closeModals(of: [modal.screen])
    change.commands.append(
      NavigationCommand(.dismissModal, [modal.screen], modal: modal.id, transition: transition))
    change.closed.append(modal.screen)
    return change
  }

  private mutating func closeModals(of owners: [ScreenID]) -> Change {
    var change = Change()
    while let index = modals.lastIndex(where: { owners.contains($0.owner) }) {
      change += dismissModal(at: index)
    }
    return change
  }
}

extension Navigation.Change {
  static func + (a: Self, b: Self) -> Self {
    Self(commands: a.commands + b.commands, closed: a.closed + b.closed)
  }

  static func += (a: inout Self, b: Self) { a = a + b }
}
