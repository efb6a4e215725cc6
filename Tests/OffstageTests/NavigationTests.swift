import OffstageJSON
import Testing

@testable import Offstage

/// The effects of each mutation: the stacks, the commands, and the closed screens.
@Suite struct NavigationTests {
  typealias Change = Navigation.Change

  @Test func pushAddsToTheStack() {
    check("tabs a*[1 4] b[2]", "push 4", "") { $0.push(4, on: 0) }
    check("tabs a*[1] b[2 4]", "push 4", "") { $0.push(4, on: 1) }
    check("tabs a*[1] b[2] | p1[3 4]", "push 4", "", Self.presented) {
      $0.push(4, on: 2)
    }
    check("stack[1 4]", "push 4", "", Self.stack) { $0.push(4, on: 0) }
  }

  @Test func moveToTopKeepsTheOtherScreens() {
    let stack: (inout Navigation) -> Void = {
      Self.tabs(&$0)
      for screen in [4, 5, 6] as [ScreenID] { _ = $0.push(screen, on: 0) }
    }
    check("tabs a*[1 5 6 4] b[2]", "moveToTop 4", "", stack) { $0.moveToTop(4, on: 0) }
    check("tabs a*[1] b[2]", "popTo 1", "6 5 4", stack) { $0.moveToTop(1, on: 0) }
    check("tabs a*[1 4 5 6] b[2]", "", "", stack) { $0.moveToTop(6, on: 0) }
    check("tabs a*[1 4 5 6] b[2]", "", "", stack) { $0.moveToTop(2, on: 0) }
  }

  @Test func popToClosesTheScreensAbove() {
    let stack: (inout Navigation) -> Void = {
      Self.stack(&$0)
      for screen in [4, 5, 6] as [ScreenID] { _ = $0.push(screen, on: 0) }
    }
    check("stack[1 4 5]", "pop 6", "6", stack) { $0.popTo(5, on: 0) }
    check("stack[1]", "popTo 1", "6 5 4", stack) { $0.popTo(1, on: 0) }
    check("stack[1 4 5 6]", "", "", stack) { $0.popTo(6, on: 0) }
    check("stack[1 4 5 6]", "", "", stack) { $0.popTo(9, on: 0) }
    let covered: (inout Navigation) -> Void = {
      stack(&$0)
      _ = $0.present(7, .modal, by: 5)
      _ = $0.present(8, .modal, by: 1)
      _ = $0.present(9, .modal, by: 7)
    }
    check(
      "stack[1 4] | m2(8 of 1)", "dismissModal m3 9, dismissModal m1 7, popTo 4", "9 7 6 5", covered
    ) { $0.popTo(4, on: 0) }
  }

  @Test func coversAreEverythingAbove() {
    var tabs = Navigation()
    Self.presented(&tabs)
    _ = tabs.push(4, on: 0)
    _ = tabs.push(5, on: 0)
    _ = tabs.push(6, on: 2)
    _ = tabs.present(7, .modal, by: 6)
    _ = tabs.present(8, .modal, by: 6)
    let covers = ([1, 2, 3, 4, 5, 6, 7, 8, 9] as [ScreenID]).map { tabs.covers(of: $0) }
    #expect(
      covers == [
        [4, 5, 3, 6, 7, 8], [3, 6, 7, 8], [6, 7, 8], [5, 3, 6, 7, 8], [3, 6, 7, 8], [7, 8], [8], [],
        [],
      ])
  }

  @Test func selectTabKeepsTheStacks() {
    checkMaybe("tabs a[1] b*[2]", "selectTab b 2", "") { $0.selectTab("b") }
    checkMaybe("tabs a*[1] b[2]", "", "") { $0.selectTab("a") }
    checkMaybe(nil) { $0.selectTab("c") }
    checkMaybe(nil, "", "", Self.stack) { $0.selectTab("a") }
    let pushed: (inout Navigation) -> Void = { _ = $0.push(4, on: 1) }
    checkMaybe("tabs a[1] b*[2 4]", "selectTab b 4", "", pushed) { $0.selectTab("b") }
  }

  @Test func setRootClosesEverything() {
    check("stack[9]", "setRoot 9", "2 1") { $0.setRoot([.init(kind: .root, screens: [9])]) }
    check(
      "stack[9]",
      "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3, setRoot 9",
      "8 7 6 5 3 2 4 1", Self.covered
    ) { $0.setRoot([.init(kind: .root, screens: [9])]) }
    check("stack[]", "setRoot ", "1", Self.stack) { $0.setRoot([.init(kind: .root, screens: [])]) }
  }

  @Test func presentAddsAStack() {
    check("tabs a*[1] b[2] | p1[3]", "present p1 3", "") {
      $0.present(3, .sheet([.medium]), by: .app)
    }
    check("tabs a*[1] b[2] | p1[3] | p2[4]", "present p2 4", "", Self.presented) {
      $0.present(4, .fullScreenCover, by: .app)
    }
  }

  @Test func presentationsCloseWithTheirOwner() {
    let sheets: (inout Navigation) -> Void = {
      Self.tabs(&$0)
      _ = $0.push(3, on: 0)
      _ = $0.present(4, .sheet, by: 3)
      _ = $0.present(5, .fullScreenCover, by: 4)
    }
    check("tabs a*[1] b[2]", "dismiss p2 5, dismiss p1 4, pop 3", "5 4 3", sheets) {
      $0.close(3) ?? .init()
    }
    check("tabs a*[1] b[2]", "dismiss p2 5, dismiss p1 4, pop 3", "5 4 3", sheets) {
      $0.popTo(1, on: 0)
    }
    let ofModal: (inout Navigation) -> Void = {
      Self.tabs(&$0)
      _ = $0.present(3, .modal, by: 1)
      _ = $0.present(4, .sheet, by: 3)
    }
    check("tabs a*[1] b[2]", "dismissModal m1 3, dismiss p1 4", "3 4", ofModal) {
      $0.close(3) ?? .init()
    }
    check("tabs a*[1] b[2]", "dismissModal m1 3, dismiss p1 4", "3 4", ofModal) {
      $0.uncover(4) ?? .init()
    }
  }

  @Test func dismissClosesTheScreensAbove() {
    check("tabs a*[1] b[2]", "dismiss p1 3", "3", Self.presented) { $0.dismissAll() }
    check("tabs a*[1] b[2]", "", "") { $0.dismissAll() }
    check(
      "tabs a*[1 4] b[2]", "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3",
      "8 7 6 5 3", Self.covered
    ) { $0.dismissAll() }
    check(
      "tabs a*[1 4] b[2] | p1[3 5] | m2(8 of 3)", "dismissModal m1 7, dismiss p2 6", "7 6",
      Self.covered
    ) { $0.dismiss(from: 3) }
  }

  @Test func modalClosesWithThoseThatItHasShown() {
    check("tabs a*[1] b[2] | m1(3 of 1)", "showModal m1 3", "") {
      $0.present(3, .modal, by: 1)
    }
    let nested: (inout Navigation) -> Void = {
      Self.tabs(&$0)
      _ = $0.present(3, .modal, by: 1)
      _ = $0.present(4, .modal, by: 3)
      _ = $0.present(5, .modal, by: 1)
    }
    check("tabs a*[1] b[2] | m3(5 of 1)", "dismissModal m2 4, dismissModal m1 3", "4 3", nested) {
      $0.dismissModal(at: 0)
    }
    check("tabs a*[1] b[2] | m1(3 of 1) | m2(4 of 3)", "dismissModal m3 5", "5", nested) {
      $0.dismissModal(at: 2)
    }
  }

  @Test func modalWithoutTapDismissalIsNotDismissed() {
    var navigation = Navigation()
    Self.tabs(&navigation)
    _ = navigation.present(3, .modal(dismissesOnTap: false), by: 1)
    let before = navigation
    #expect(navigation.dismiss(3) == nil)
    #expect(navigation.dismiss(presentation: "m1") == nil)
    #expect(navigation.testDescription == before.testDescription)
    #expect(navigation.close(3) != nil)
  }

  @Test func presentationAndModalIDsAreNotReused() {
    var navigation = Navigation()
    Self.presented(&navigation)
    _ = navigation.dismissAll()
    _ = navigation.present(4, .fullScreenCover, by: .app)
    _ = navigation.present(5, .modal, by: 4)
    _ = navigation.dismissModal(at: 0)
    _ = navigation.present(6, .modal, by: 4)
    #expect(navigation.testDescription == "tabs a*[1] b[2] | p2[4] | m2(6 of 4)")
  }

  @Test func stacksOfScreens() {
    var navigation = Navigation()
    Self.tabs(&navigation)
    _ = navigation.selectTab("b")
    #expect(navigation.visibleStack == 1)
    Self.covered(&navigation)
    #expect(navigation.visibleStack == 3)
    #expect(navigation.stack(for: 4) == 0)
    #expect(navigation.stack(for: 5) == 2)
    #expect(
      navigation.stack(for: 8) == 3, "a modal's screen acts on what is below it")
    #expect(navigation.stack(for: 9) == nil)
  }

  static func tabs(_ navigation: inout Navigation) {
    _ = navigation.setRoot(
      [
        .init(kind: .tab(id: "a", icon: "a"), screens: [1]),
        .init(kind: .tab(id: "b", icon: "b"), screens: [2]),
      ])
  }

  static func stack(_ navigation: inout Navigation) {
    _ = navigation.setRoot([.init(kind: .root, screens: [1])])
  }

  static func presented(_ navigation: inout Navigation) {
    tabs(&navigation)
    _ = navigation.present(3, .sheet, by: .app)
  }

  /// `tabs a*[1 4] b[2] | p1[3 5] | p2[6] | m1(7 of 6) | m2(8 of 3)`.
  static func covered(_ navigation: inout Navigation) {
    tabs(&navigation)
    _ = navigation.push(4, on: 0)
    _ = navigation.present(3, .sheet, by: .app)
    _ = navigation.push(5, on: 2)
    _ = navigation.present(6, .fullScreenCover, by: .app)
    _ = navigation.present(7, .modal, by: 6)
    _ = navigation.present(8, .modal, by: 3)
  }

  /// Prepares a navigation, by default with tabs, and checks the effects of one mutation.
  private func check(
    _ expected: String, _ commands: String, _ closed: String,
    _ prepare: (inout Navigation) -> Void = tabs, _ change: (inout Navigation) -> Change,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var navigation = Navigation()
    prepare(&navigation)
    let change = change(&navigation)
    #expect(navigation.testDescription == expected, sourceLocation: location)
    #expect(change.commandList == commands, sourceLocation: location)
    #expect(change.closed.list == closed, sourceLocation: location)
  }

  /// The same for a mutation that can fail.
  private func checkMaybe(
    _ expected: String?, _ commands: String = "", _ closed: String = "",
    _ prepare: (inout Navigation) -> Void = { _ in }, _ change: (inout Navigation) -> Change?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var navigation = Navigation()
    Self.tabs(&navigation)
    prepare(&navigation)
    let before = navigation
    let change = change(&navigation)
    #expect((change == nil) == (expected == nil), sourceLocation: location)
    #expect(
      navigation.testDescription == expected ?? before.testDescription, sourceLocation: location)
    #expect(change?.commandList ?? "" == commands, sourceLocation: location)
    #expect(change?.closed.list ?? "" == closed, sourceLocation: location)
  }
}

/// The ways to close a screen.
@Suite struct NavigationClosingTests {
  /// `tabs a*[1 4] b[2] | p1[3 5] | p2[6] | m1(7 of 6) | m2(8 of 3)`.
  @Test func backClosesTheTopmost() {
    var navigation = Navigation()
    NavigationTests.covered(&navigation)
    var steps: [String] = []
    while navigation.canGoBack,
      let change = navigation.visibleScreen.flatMap({ navigation.close($0) })
    {
      steps.append("\(change.commandList) closes \(change.closed.list)")
    }
    #expect(
      steps == [
        "dismissModal m2 8 closes 8", "dismissModal m1 7 closes 7", "dismiss p2 6 closes 6",
        "pop 5 closes 5", "dismiss p1 3 closes 3", "pop 4 closes 4",
      ])
    #expect(navigation.testDescription == "tabs a*[1] b[2]")
  }

  @Test(
    arguments: [
      (1, nil),
      (2, nil),
      (9, nil),
      (4, "pop 4 closes 4"),
      (3, "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      (5, "pop 5 closes 5"),
      (6, "dismissModal m1 7, dismiss p2 6 closes 7 6"),
      (7, "dismissModal m1 7 closes 7"),
      (8, "dismissModal m2 8 closes 8"),
    ] as [(Int, String?)])
  func closeClosesWhatIsAbove(screen: Int, expected: String?) {
    check(expected) { $0.close(ScreenID(screen)) }
    var navigation = Navigation()
    NavigationTests.covered(&navigation)
    #expect(navigation.canClose(ScreenID(screen)) == (expected != nil))
  }

  @Test func closeIncludesTheScreensAbove() {
    check("popTo 1 closes 10 9 4") {
      _ = $0.push(9, on: 0)
      _ = $0.push(10, on: 0)
      return $0.close(4)
    }
  }

  /// A presentation is dismissed as a whole, by any of its screens.
  @Test(
    arguments: [
      (1, nil),
      (4, "pop 4 closes 4"),
      (3, "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      (5, "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      (6, "dismissModal m1 7, dismiss p2 6 closes 7 6"),
      (8, "dismissModal m2 8 closes 8"),
    ] as [(Int, String?)])
  func dismissClosesThePresentationOfAScreen(screen: Int, expected: String?) {
    check(expected) { $0.dismiss(ScreenID(screen)) }
  }

  @Test(
    arguments: [
      ("p2", "dismissModal m1 7, dismiss p2 6 closes 7 6"),
      ("p1", "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      ("m1", "dismissModal m1 7 closes 7"),
      ("p3", nil), ("1", nil), ("", nil),
    ] as [(String, String?)])
  func dismissClosesAPresentationByItsID(presentation: String, expected: String?) {
    check(expected) { $0.dismiss(presentation: presentation) }
  }

  private func check(
    _ expected: String?, _ change: (inout Navigation) -> Navigation.Change?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var navigation = Navigation()
    NavigationTests.covered(&navigation)
    let found = change(&navigation).map { "\($0.commandList) closes \($0.closed.list)" }
    #expect(found == expected, sourceLocation: location)
  }
}

/// The member `navigation` of the document, as specified.
@Suite struct NavigationJSONTests {
  @Test func containsRootPresentationsAndModals() throws {
    var navigation = Navigation()
    NavigationTests.tabs(&navigation)
    _ = navigation.present(5, .sheet([.medium, .large]), by: .app)
    _ = navigation.present(6, .fullScreenCover, by: .app)
    _ = navigation.present(7, .modal, by: 6)
    try check(
      json(of: navigation) { ($0.uppercased(), nil) },
      """
      {"root": {"type": "tabs", "selected": "a", "tabs": [
         {"id": "a", "title": "A", "icon": "a", "badge": null, "screens": ["1"]},
         {"id": "b", "title": "B", "icon": "b", "badge": null, "screens": ["2"]}]},
       "presented": [
         {"id": "p1", "style": "sheet", "detents": ["medium", "large"], "screens": ["5"]},
         {"id": "p2", "style": "fullScreenCover", "screens": ["6"]}],
       "modals": [
         {"id": "m1", "screen": "7", "background": {"color": "#000000", "opacity": 0.6, "dismissesOnTap": true}}]}
      """)
  }

  private func json(
    of navigation: Navigation, _ label: (String) -> (title: String, badge: String?)
  ) -> JSON {
    [
      "root": navigation.rootJSON(label), "presented": .array(navigation.presentedJSON(from: 0)),
      "modals": .array(navigation.modalsJSON(from: 0)),
    ]
  }

  @Test func stackListsItsScreens() throws {
    try check(
      json(of: Navigation()) { ($0, nil) },
      #"{"root": {"type": "stack", "screens": []}, "presented": [], "modals": []}"#)
  }

  @Test func commandsAreWrittenWithWhatTheyConcern() throws {
    var navigation = Navigation()
    NavigationTests.tabs(&navigation)
    try check(
      navigation.push(4, on: 0, Transition(.moveIn, .fromRight)).commands[0].json,
      """
      {"type": "push", "screens": ["4"], "transition":
        {"type": "moveIn", "subtype": "fromRight", "duration": 0.25, "curve": "easeInEaseOut"}}
      """)
    try check(
      navigation.present(
        5, .modal, by: 4, Transition(.fade, duration: 1, curve: .linear)
      )
      .commands[0].json,
      """
      {"type": "showModal", "screens": ["5"], "modal": "m1",
       "transition": {"type": "fade", "subtype": null, "duration": 1, "curve": "linear"}}
      """)
    try check(
      navigation.present(6, .sheet, by: .app).commands[0].json,
      #"{"type": "present", "screens": ["6"], "presentation": "p1"}"#)
    let selection = navigation.selectTab("b")
    try check(
      try #require(selection).commands[0].json,
      #"{"type": "selectTab", "screens": ["2"], "tab": "b"}"#)
  }

  private func check(
    _ json: JSON, _ expected: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try json == JSON(parsing: expected), "\(json)", sourceLocation: location)
  }
}
