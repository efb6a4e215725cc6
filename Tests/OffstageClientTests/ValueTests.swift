import Foundation
import OffstageClient
import Testing

/// A value of any shape within a type of the front end's own.
@Suite struct ValueTests {
  private struct Box: Codable {
    let content: Value
  }

  @Test(arguments: [
    "null", "true", "0", "-9007199254740992", "0.5", "\"한글\"", "[]", "[1,[null],{}]", "{}",
    #"{"b":1,"a":{"c":[false]}}"#,
  ])
  func contentIsKeptByEveryCoder(_ json: String) throws {
    let text = #"{"content":\#(json)}"#
    let box = try JSONDecoder().decode(Box.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let again = try JSONDecoder().decode(Value.self, from: try encoder.encode(box))

    #expect(try Value(encoding: box).decode(Box.self).content == box.content)
    #expect(again["content"] == box.content)
    #expect(box.content.members != nil || box.content.description == json)
  }
}
