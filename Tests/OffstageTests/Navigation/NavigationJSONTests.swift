import OffstageJSON
import Testing

@testable import Offstage

/// The document's member `navigation`, as the protocol has it.
@Suite struct NavigationJSONTests {
  @Test func everything() throws {
    var navigation = Navigation()
    NavigationTests.tabs(&navigation)
    _ = navigation.present(5, .sheet([.medium, .large]))
    _ = navigation.present(6, .fullScreenCover)
    _ = navigation.showModal(7, ModalBackground(), by: 6)
    try check(
      navigation.json,
      """
      {"root": {"type": "tabs", "selected": "a", "tabs": [
         {"id": "a", "title": "A", "icon": "a", "screens": ["1"]},
         {"id": "b", "title": "B", "icon": "b", "screens": ["2"]}]},
       "presented": [
         {"id": "p1", "style": "sheet", "detents": ["medium", "large"], "screens": ["5"]},
         {"id": "p2", "style": "fullScreenCover", "screens": ["6"]}],
       "modals": [
         {"id": "m1", "screen": "7", "background": {"color": "#000000", "opacity": 0.6, "dismissesOnTap": true}}]}
      """)
  }

  @Test func aStack() throws {
    try check(
      Navigation().json,
      #"{"root": {"type": "stack", "screens": []}, "presented": [], "modals": []}"#)
  }

  @Test func commands() throws {
    var navigation = Navigation()
    NavigationTests.tabs(&navigation)
    try check(
      navigation.push(4, at: .tab(0), Transition(.moveIn, .fromRight)).commands[0].json,
      """
      {"type": "push", "screens": ["4"], "transition":
        {"type": "moveIn", "subtype": "fromRight", "duration": 0.25, "curve": "easeInEaseOut"}}
      """)
    try check(
      navigation.showModal(
        5, ModalBackground(), by: 4, Transition(.fade, duration: 1, curve: .linear)
      )
      .commands[0].json,
      """
      {"type": "showModal", "screens": ["5"], "modal": "m1",
       "transition": {"type": "fade", "subtype": null, "duration": 1, "curve": "linear"}}
      """)
    try check(
      navigation.present(6, .sheet).commands[0].json,
      #"{"type": "present", "screens": ["6"], "presentation": "p1"}"#)
    let selection = navigation.selectTab("b")
    try check(
      try #require(selection).commands[0].json,
      #"{"type": "selectTab", "screens": ["2"], "tab": "b"}"#)
  }

  private func check(_ json: JSON, _ expected: String) throws {
    #expect(try json == JSON(parsing: expected), "\(json)")
  }
}
