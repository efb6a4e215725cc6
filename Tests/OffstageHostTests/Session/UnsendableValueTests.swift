import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

/// An infinity is not a JSON number: null is sent, and the fault names the port.
@Suite @CoreActor struct UnsendableValueTests {
  @Test func anOutputIsNullAndAFault() async throws {
    let talk = try await Conversation()
    let desk = try #require(talk.session.core.screen(ScreenID(1))?.screen as? Desk)
    func show(_ lat: Double, _ lon: Double) -> [String] {
      desk.output.place.value = Desk.Place(lat: lat, lon: lon)
      CoreActor.executor.endTurn()
      return talk.pull()
    }
    let null = #"[{"op":"replace","path":"/screens/1/output/place","value":null}]"#
    #expect(show(.infinity, 1) == ["frame 2 \(null)", "error -32603"])
    // Once for each time that it is said, and not for those who only look.
    await talk.checkReplica()
    #expect(show(1, -.infinity) == ["frame 3 \(null)", "error -32603"])
    #expect(show(1, 2).count == 1)
  }

  @Test func anEventIsNullAndAFault() async throws {
    let talk = try await Conversation()
    let core = talk.session.core
    core.emit([1, .nan], named: "told", of: try #require(core.screen(ScreenID(1))))
    CoreActor.executor.endTurn()
    #expect(talk.pull() == ["error -32603", "frame 2 1.told null"])
  }

  @Test func theFaultSaysWhatAndWhere() {
    var writer = JSONWriter()
    for _ in 1...2 {
      writer.value([Desk.Place(lat: 1, lon: .infinity)], of: "The output \"place\" of screen 1")
    }
    #expect(String(writer.bytes) == "null,null")
    #expect(
      writer.failures == [
        "The output \"place\" of screen 1 has a value that cannot be sent; null was sent. "
          + "inf is not a JSON number. It stands at /0/lon."
      ])
  }
}
