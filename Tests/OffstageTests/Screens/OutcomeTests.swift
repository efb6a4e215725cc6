import Offstage
import OffstageJSON
import Testing

@Suite struct OutcomeTests {
  @Test(
    arguments: [
      (.finished(3), #"{"type":"finished","value":3}"#),
      (.dismissed, #"{"type":"dismissed"}"#),
    ] as [(Outcome<Int>, String)])
  func isWrittenAndRead(outcome: Outcome<Int>, text: String) throws {
    #expect(JSON(encoding: outcome).description == text)
    #expect(try JSONText(text).withRoot { try $0.decode(Outcome<Int>.self) } == outcome)
  }

  @Test(arguments: [
    (#"{"type":"finished"}"#, "/value"), (#"{"type":"gone"}"#, "/type"), ("{}", "/type"),
    (#"{"type":"finished","value":"3"}"#, "/value"), ("3", ""),
  ])
  func refusesAnythingElse(text: String, path: String) throws {
    let text = try JSONText(text)
    let error = #expect(throws: JSONMismatch.self) {
      try text.withRoot { try $0.decode(Outcome<Int>.self) }
    }
    #expect(error?.path == path)
  }
}
