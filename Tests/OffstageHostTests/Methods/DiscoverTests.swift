import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

/// The description holds all that there is.
@Suite @CoreActor struct DiscoverTests {
  @Test func describesTheAppAndTheProtocol() async throws {
    let document = try JSON(parsing: try Desk.program.describe())
    #expect(document["info"] == ["title": "desks", "version": "1.2"])
    let methods = document["methods"]?.array?.compactMap { $0["name"]?.string }
    #expect(
      methods == [
        "initialize", "input", "answer", "navigation/back", "navigation/dismiss",
        "navigation/popTo", "navigation/selectTab", "navigation/open", "state/snapshot",
        "state/settle", "clock/advance", "rpc.discover", "$/cancelRequest", "shutdown",
      ])
    let desk = document["x-screens"]?["desk"]
    #expect(desk?["inputs"]?["place"]?["properties"]?["lat"] == ["type": "number"])
    #expect(desk?["inputs"]?["queue"] == ["type": "array", "items": ["type": "integer"]])
    #expect(desk?["outputs"]?["count"] == ["type": "integer"])
    #expect(desk?["outputs"]?["items"]?["type"] == "array")
    #expect(desk?["events"]?["told"] == ["type": "integer"])
    #expect(desk?["result"] == ["type": "integer"])
    #expect(document["x-screens"]?["broken"]?["argument"]?["type"] == "object")
    #expect(
      document["x-prompts"]?.object?.members.map(\.key)
        == ["alert", "confirmationDialog", "location"])
  }

  @Test func everyErrorThatIsNamedIsDescribed() throws {
    let document = try JSON(parsing: try Desk.program.describe())
    let described = Set(document["components"]?["errors"]?.object?.members.map(\.key) ?? [])
    for method in document["methods"]?.array ?? [] {
      for error in method["errors"]?.array ?? [] {
        let name = error["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? "?"
        #expect(described.contains(name))
      }
    }
    #expect(described.count == ErrorCode.allCases.count)
  }

  @Test func isWhatTheCoreAnswers() async throws {
    let talk = try await Conversation()
    let described = try JSON(parsing: try Desk.program.describe())
    await talk.check([call(1, "rpc.discover")], ["1: \(described)"])
  }
}
