import Testing

@testable import Offstage

/// How screens go: by a step back, by their own end, or by being dismissed.
@Suite struct NavigationClosingTests {
  /// `tabs a*[1 4] b[2] | p1[3 5] | p2[6] | m1(7 of 6) | m2(8 of 3)`.
  @Test func oneStepBackTakesWhatIsOnTop() {
    var navigation = Navigation()
    NavigationTests.covered(&navigation)
    var steps: [String] = []
    while let change = navigation.back() {
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
  func closing(screen: Int, expected: String?) {
    check(expected) { $0.close(ScreenID(screen)) }
    var navigation = Navigation()
    NavigationTests.covered(&navigation)
    #expect(navigation.canClose(ScreenID(screen)) == (expected != nil))
  }

  @Test func closingAScreenClosesWhatIsAboveItOnItsStack() {
    check("popTo 1 closes 10 9 4") {
      _ = $0.push(9, at: .tab(0))
      _ = $0.push(10, at: .tab(0))
      return $0.close(4)
    }
  }

  /// A presentation goes as a whole, whichever of its screens is named.
  @Test(
    arguments: [
      (1, nil),
      (4, "pop 4 closes 4"),
      (3, "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      (5, "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      (6, "dismissModal m1 7, dismiss p2 6 closes 7 6"),
      (8, "dismissModal m2 8 closes 8"),
    ] as [(Int, String?)])
  func dismissing(screen: Int, expected: String?) {
    check(expected) { $0.dismiss(ScreenID(screen)) }
  }

  @Test(
    arguments: [
      ("p2", "dismissModal m1 7, dismiss p2 6 closes 7 6"),
      ("p1", "dismissModal m2 8, dismissModal m1 7, dismiss p2 6, dismiss p1 5 3 closes 8 7 6 5 3"),
      ("m1", "dismissModal m1 7 closes 7"),
      ("p3", nil), ("1", nil), ("", nil),
    ] as [(String, String?)])
  func dismissing(presentation: String, expected: String?) {
    check(expected) { $0.dismiss(presentation: presentation) }
  }

  private func check(_ expected: String?, _ change: (inout Navigation) -> Navigation.Change?) {
    var navigation = Navigation()
    NavigationTests.covered(&navigation)
    let found = change(&navigation).map { "\($0.commandList) closes \($0.closed.list)" }
    #expect(found == expected)
  }
}
