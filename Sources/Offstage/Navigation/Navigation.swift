/// The stacks of screens, as a value without side effects.
///
/// Every mutation returns a `Change`, which the core carries out: commands for the front end, and
/// screens to close.
package struct Navigation: Hashable, Codable, Sendable {
  /// Screens on top of each other, the topmost last.
  package struct Stack: Hashable, Codable, Sendable {
    package enum Kind: Hashable, Codable, Sendable {
      /// The root of an app without tabs.
      case root
      case tab(id: String, icon: String)
      /// Over the root and over earlier presentations. It closes with its owner, the screen that
      /// presented it.
      case presentation(id: String, style: PresentationStyle, owner: ScreenID)
    }

    package let kind: Kind
    package var screens: [ScreenID]

    package var tab: String? { if case .tab(let id, _) = kind { id } else { nil } }

    package var presentation: String? {
      if case .presentation(let id, _, _) = kind { id } else { nil }
    }

    package var owner: ScreenID? {
      if case .presentation(_, _, let owner) = kind { owner } else { nil }
    }

    var isFullScreenCover: Bool {
      if case .presentation(_, .fullScreenCover, _) = kind { true } else { false }
    }
  }

  /// One screen in a box over everything else.
  package struct Modal: Hashable, Codable, Sendable {
    package let id: String
    package let screen: ScreenID
    package let background: ModalBackground
    /// The screen that showed it. The modal closes with that screen.
    package let owner: ScreenID
  }

  package struct Change: Hashable, Sendable {
    package var commands: [NavigationCommand] = []
    /// Screens to close, the topmost first.
    package var closed: [ScreenID] = []
    package var extent = Extent()
  }

  /// The part of the navigation that has changed. A frame compares only this part, so that a sheet
  /// costs the same over a thousand others.
  package struct Extent: Hashable, Sendable {
    /// True if more of the root than the top of one of its stacks has changed.
    package var root = false
    /// The first screen that has changed on a stack of the root. All above it count as changed.
    package var top: Top?
    /// The first presentation that has changed. All above it count as changed.
    package var presented = Int.max
    /// The first modal that has changed. All above it count as changed.
    package var modals = Int.max

    package var isEmpty: Bool { self == Extent() }

    package struct Top: Hashable, Sendable {
      package var stack: Int
      package var first: Int
    }

    mutating func formUnion(_ other: Self) {
      root = root || other.root
      if let added = other.top {
        let old = top ?? added
        if old.stack == added.stack {
          top = Top(stack: old.stack, first: min(old.first, added.first))
        } else {
          root = true
        }
      }
      presented = min(presented, other.presented)
      modals = min(modals, other.modals)
    }
  }

  /// The stack of the root, or those of its tabs; then the presentations, the topmost last.
  package private(set) var stacks = [Stack(kind: .root, screens: [])]
  /// The stack that is visible if nothing is presented.
  private var selected = 0
  package private(set) var modals: [Modal] = []
  private var lastPresentation = 0
  private var lastModal = 0

  /// The index of the first presentation, or of the next one if there is none.
  var firstPresentation: Int { stacks.firstIndex { $0.presentation != nil } ?? stacks.count }

  package var rootStacks: Range<Int> { 0..<firstPresentation }

  package var hasPresentations: Bool { firstPresentation < stacks.count }

  package var selectedTab: String? { stacks[selected].tab }

  /// The stack that contains a screen; nil for the screen of a modal. Searches from the top, where
  /// most navigation happens.
  func stack(of screen: ScreenID) -> Int? {
    stacks.lastIndex { $0.screens.lastIndex(of: screen) != nil }
  }

  func modal(of screen: ScreenID) -> Int? { modals.lastIndex { $0.screen == screen } }

  /// The stack that a screen pushes on; for the screen of a modal, the stack below it.
  func stack(for screen: ScreenID) -> Int? {
    let isAbove = screen == .app || modal(of: screen) != nil
    return isAbove ? visibleStack : stack(of: screen)
  }

  var visibleStack: Int { hasPresentations ? stacks.count - 1 : selected }

  package var visibleScreen: ScreenID? { modals.last?.screen ?? stacks[visibleStack].screens.last }

  /// True if a screen is open, and the user does not see it or sees it beneath another one.
  func isCovered(_ screen: ScreenID) -> Bool {
    visibleScreen != screen
      && (stack(of: screen) != nil || modals.contains { $0.screen == screen })
  }

  /// True if another tab or a full-screen cover hides the stack of a screen. A front end may show a
  /// screen beside the one above it.
  func isHidden(_ screen: ScreenID) -> Bool {
    guard let index = stack(of: screen) else { return false }
    return index < firstPresentation && index != selected
      || stacks[firstAbove(index)...].contains { $0.isFullScreenCover }
  }

  /// The screens over a screen: those above it on its stack, and everything presented over both.
  package func covers(of screen: ScreenID) -> [ScreenID] {
    if let index = modal(of: screen) { return modals[(index + 1)...].map(\.screen) }
    guard let index = stack(of: screen) else { return [] }
    let above = stacks[index].screens.drop { $0 != screen }.dropFirst()
    let over = stacks[firstAbove(index)...].flatMap(\.screens)
    return above + over + modals.map(\.screen)
  }

  /// The first presentation over a stack.
  func firstAbove(_ stack: Int) -> Int { max(stack + 1, firstPresentation) }

  // MARK: The root

  /// Replaces everything. The first of the stacks is visible.
  package mutating func setRoot(_ stacks: [Stack]) -> Change {
    let change = closeModals() + dismissAll()
    let closed = self.stacks.reversed().flatMap { $0.screens.reversed() }
    self.stacks = stacks
    selected = 0
    let command = NavigationCommand(kind: .setRoot, screens: stacks.flatMap(\.screens))
    return change + Change(command, closed: closed, Extent(root: true))
  }

  /// - Returns: nil if no tab has this id.
  package mutating func selectTab(_ id: String) -> Change? {
    guard let index = stacks.firstIndex(where: { $0.tab == id }) else { return nil }
    guard selected != index else { return Change() }
    selected = index
    return Change(
      .init(kind: .selectTab, screens: stacks[index].screens.suffix(1), tab: id),
      Extent(root: true))
  }

  // MARK: Stacks

  /// - Parameter first: The first screen that has changed.
  private func extent(of stack: Int, from first: Int) -> Extent {
    stack < firstPresentation
      ? Extent(top: .init(stack: stack, first: first))
      : Extent(presented: stack - firstPresentation)
  }

  package mutating func push(
    _ screen: ScreenID, on stack: Int, _ transition: Transition? = nil
  ) -> Change {
    stacks[stack].screens.append(screen)
    return Change(
      .init(kind: .push, screens: [screen], transition: transition),
      extent(of: stack, from: stacks[stack].screens.count - 1))
  }

  /// Moves a screen to the top of its stack. For the root, closes the screens above it instead.
  package mutating func moveToTop(
    _ screen: ScreenID, on stack: Int, _ transition: Transition? = nil
  ) -> Change {
    guard stacks[stack].screens.last != screen,
      let index = stacks[stack].screens.lastIndex(of: screen)
    else { return Change() }
    if index == 0 { return popTo(screen, on: stack, transition) }
    stacks[stack].screens.remove(at: index)
    stacks[stack].screens.append(screen)
    return Change(
      .init(kind: .moveToTop, screens: [screen], transition: transition),
      extent(of: stack, from: index))
  }

  package mutating func popTo(
    _ screen: ScreenID, on stack: Int, _ transition: Transition? = nil
  ) -> Change {
    guard let index = stacks[stack].screens.lastIndex(of: screen) else { return Change() }
    let popped = Array(stacks[stack].screens[(index + 1)...].reversed())
    guard !popped.isEmpty else { return Change() }
    stacks[stack].screens.removeSubrange((index + 1)...)
    let command =
      popped.count == 1
      ? NavigationCommand(kind: .pop, screens: popped, transition: transition)
      : NavigationCommand(kind: .popTo, screens: [screen], transition: transition)
    return closeAll(of: popped)
      + Change(command, closed: popped, extent(of: stack, from: index + 1))
  }

  // MARK: Presentations and modals

  package mutating func present(
    _ screen: ScreenID, _ style: PresentationStyle, by owner: ScreenID,
    _ transition: Transition? = nil
  ) -> Change {
    if case .modal(let color, let opacity, let dismissesOnTap) = style {
      let background = ModalBackground(
        color: color, opacity: opacity, dismissesOnTap: dismissesOnTap)
      return showModal(screen, background, by: owner, transition)
    }
    lastPresentation += 1
    let id = "p\(lastPresentation)"
    stacks.append(Stack(kind: .presentation(id: id, style: style, owner: owner), screens: [screen]))
    return Change(
      .init(kind: .present, screens: [screen], presentation: id, transition: transition),
      Extent(presented: stacks.count - 1 - firstPresentation))
  }

  /// Removes a presentation and everything presented over it, the topmost first.
  package mutating func dismiss(from index: Int, _ transition: Transition? = nil) -> Change {
    // Modals are on top of every presentation, so they close first.
    let covering = Set(stacks[index...].flatMap(\.screens))
    var change = closeModals { covering.contains($0.owner) }
    let first = firstPresentation
    while stacks.count > index {
      let top = stacks.removeLast()
      let screens = Array(top.screens.reversed())
      change += Change(
        .init(
          kind: .dismiss, screens: screens, presentation: top.presentation, transition: transition),
        closed: screens, Extent(presented: stacks.count - first))
    }
    return change
  }

  mutating func dismissAll() -> Change { dismiss(from: firstPresentation) }

  private mutating func showModal(
    _ screen: ScreenID, _ background: ModalBackground, by owner: ScreenID,
    _ transition: Transition?
  ) -> Change {
    lastModal += 1
    let id = "m\(lastModal)"
    modals.append(Modal(id: id, screen: screen, background: background, owner: owner))
    return Change(
      .init(kind: .showModal, screens: [screen], modal: id, transition: transition),
      Extent(modals: modals.count - 1))
  }

  package mutating func dismissModal(
    at index: Int, _ transition: Transition? = nil
  ) -> Change {
    let modal = modals.remove(at: index)
    let screens = [modal.screen]
    return closeModals { $0.owner == modal.screen }
      + Change(
        .init(kind: .dismissModal, screens: screens, modal: modal.id, transition: transition),
        closed: screens, Extent(modals: index)) + dismissPresentations(of: [modal.screen])
  }

  /// Closes what screens that are about to close have shown over everything.
  private mutating func closeAll(of owners: [ScreenID]) -> Change {
    let owners = Set(owners)
    return closeModals { owners.contains($0.owner) } + dismissPresentations(of: owners)
  }

  private mutating func dismissPresentations(of owners: Set<ScreenID>) -> Change {
    for index in stacks.indices.dropFirst(firstPresentation) {
      if let owner = stacks[index].owner, owners.contains(owner) { return dismiss(from: index) }
    }
    return Change()
  }

  /// Closes all modals that meet a condition, the topmost first.
  package mutating func closeModals(where closes: (Modal) -> Bool = { _ in true }) -> Change {
    var change = Change()
    while let index = modals.lastIndex(where: closes) { change += dismissModal(at: index) }
    return change
  }
}

// MARK: The start from a state

extension Navigation {
  /// False for a value that no navigation can have.
  var isValid: Bool {
    stacks.indices.contains(selected) && selected < firstPresentation
      && stacks[firstPresentation...].allSatisfy { $0.presentation != nil }
  }

  /// Removes screens that cannot come back, what stands on them, and what they have shown.
  mutating func leaveOut(_ isMissing: (ScreenID) -> Bool) {
    for index in stacks.indices {
      guard let first = stacks[index].screens.firstIndex(where: isMissing) else { continue }
      stacks[index].screens.removeSubrange(first...)
    }
    modals.removeAll { isMissing($0.screen) }
    var before: Navigation?
    while before != self {
      before = self
      let open = Set(stacks.flatMap(\.screens) + modals.map(\.screen) + [.app])
      stacks.removeAll { stack in
        stack.owner.map { stack.screens.isEmpty || !open.contains($0) } ?? false
      }
      modals.removeAll { !open.contains($0.owner) }
    }
  }

  /// Arranges tabs as the app declares them, unless they are others. A new one has no screen yet.
  mutating func arrange(_ tabs: [Stack.Kind]) {
    let declared = tabs.map { Stack(kind: $0, screens: []) }
    let saved = stacks[..<firstPresentation]
    let tab = selectedTab
    let names = declared.map(\.tab)
    guard tab != nil, saved.contains(where: { names.contains($0.tab) }) else { return }
    let arranged = declared.map { new in
      Stack(kind: new.kind, screens: saved.first { $0.tab == new.tab }?.screens ?? [])
    }
    stacks.replaceSubrange(..<firstPresentation, with: arranged)
    selected = stacks.firstIndex { $0.tab == tab } ?? 0
  }

  /// Gives an empty stack its root.
  mutating func fill(_ stack: Int, with screen: ScreenID) { stacks[stack].screens = [screen] }
}

extension Navigation.Change {
  init(
    _ command: NavigationCommand, closed: [ScreenID] = [], _ extent: Navigation.Extent
  ) {
    self.init(commands: [command], closed: closed, extent: extent)
  }

  static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }

  static func += (a: inout Self, b: Self) {
    a.commands += b.commands
    a.closed += b.closed
    a.extent.formUnion(b.extent)
  }
}
