import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// A row that grows at the end of one of its arrays sends what was added, and nothing else.
@Suite @CoreActor struct GrowthTests {
  @Test func pieceIsOneOperation() async {
    let (rows, document) = await talk()
    rows.append("new", to: \.pieces, of: 1)
    await document.check()
    #expect(document.patch == Self.added("new", at: "/0/pieces/3"))
  }

  @Test func arrayWithinAMemberIsFound() async {
    let (rows, document) = await talk()
    rows.append("sad", to: \.mood.words, of: 2)
    await document.check()
    #expect(document.patch == Self.added("sad", at: "/1/mood/the~1words/0"))
  }

  @Test func memberThatIsNotWrittenAsAnArrayIsCompared() async {
    let (rows, document) = await talk()
    rows.append("b", to: \.tags.all, of: 1)
    await document.check()
    #expect(rows[1]?.tags.all == ["a", "b"])
    #expect(document.patch.contains(#""value":"a,b""#))
  }

  @Test func missingRowGrowsNothing() async {
    let (rows, document) = await talk()
    let patch = document.patch
    rows.append("new", to: \.pieces, of: 9)
    await document.check()
    #expect(document.patch == patch)
  }

  /// Every order of growing with the other edits of a row, over two frames.
  @Test func framesReproduceTheRow() async {
    let edits: [(name: String, run: (Rows<Message>) -> Void)] = [
      ("grow", { $0.append("g", to: \.pieces, of: 2) }),
      ("grow mood", { $0.append("m", to: \.mood.words, of: 2) }),
      ("update", { $0.update(2) { $0.pieces.append("u") } }),
      ("cut", { $0.update(2) { $0.pieces = Array($0.pieces.prefix(1)) } }),
      ("move", { $0.move(2, to: 0) }),
      ("remove", { $0.remove(2) }),
      ("insert", { $0.insert(Message(id: 2, pieces: ["i"]), at: 1) }),
    ]
    for first in edits {
      for second in edits {
        for third in edits {
          let (rows, document) = await talk()
          for edit in [first, second, third] { edit.run(rows) }
          await document.check("\(first.name), \(second.name), \(third.name)")
          rows.append("next", to: \.pieces, of: 2)
          await document.check("\(first.name), \(second.name), \(third.name), next")
        }
      }
    }
  }

  @Test func listThatIsDerivedFollows() async {
    let rows = Rows<Message>()
    rows.append(Message(id: 1, pieces: ["a"]))
    let core = TestCore()
    let screen = core.show { Talk() }
    screen.output.messages.derive(from: rows) { $0 }
    rows.append("b", to: \.pieces, of: 1)
    #expect(screen.output.messages[1]?.pieces == ["a", "b"])
  }

  private static func added(_ piece: String, at path: String) -> String {
    #"[{"op":"add","path":"/screens/1/output/messages\#(path)","value":"\#(piece)"}]"#
  }

  /// Shows some messages whose frame is sent.
  private func talk() async -> (rows: Rows<Message>, document: Document) {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Talk() }.output.messages
    rows.reset(
      to: (1...4).map { Message(id: $0, pieces: ["a rather long text", "of", "three pieces"]) })
    await document.check()
    return (rows, document)
  }
}

private struct Message: Identifiable, Codable, Equatable, Sendable {
  struct Mood: Codable, Equatable, Sendable {
    var words: [String] = []
    var value = 1

    enum CodingKeys: String, CodingKey {
      case words = "the/words"
      case value
    }
  }

  /// Written as one text.
  struct Tags: Codable, Equatable, Sendable {
    var all = ["a"]

    init() {}
    init(from decoder: any Decoder) throws {
      all = try decoder.singleValueContainer().decode(String.self).split(separator: ",").map(
        String.init)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(all.joined(separator: ","))
    }
  }

  let id: Int
  var pieces: [String]
  var mood = Mood()
  var tags = Tags()
}

private final class Talk: Screen {
  static let kind = "talk"
  struct Input: Ports {}
  struct Output: Ports { let messages = Rows<Message>() }

  let input = Input()
  let output = Output()
  let effects = Effects()
}
