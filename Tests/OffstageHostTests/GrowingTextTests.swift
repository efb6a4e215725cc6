import OffstageJSON
import Testing

@testable import Offstage
@testable import OffstageHost

/// Texts that grow at their end, on the wire.
@Suite @CoreActor struct GrowingTextTests {
  @Test func whatIsAppendedIsSent() async throws {
    let talk = try await pad()
    await talk.check(
      [input(1, "end", #""one""#)], [frame(2, by: 1, appended("one")), answer(1, 2)])
    await talk.check(
      [input(2, "end", #"" \"two\"""#)], [frame(3, by: 2, appended(#" \"two\""#)), answer(2, 3)])
    await talk.check([input(3, "end", #""""#)], [answer(3, 3)])
    await talk.checkReplica()
  }

  /// As in a language whose letters are built of several scalars.
  @Test func aLetterMayArriveInPieces() async throws {
    let talk = try await pad()
    for (number, piece) in ["e", "\u{301}", "👩", "\u{200D}🚀", "ㅎ", "\u{1161}"].enumerated() {
      await talk.check(
        [input(1, "end", "\"\(piece)\"")],
        [frame(number + 2, by: 1, appended(piece)), answer(1, number + 2)])
    }
    await talk.checkReplica()
  }

  /// The steps of one turn from the text `ab`, `+` for appending and `=` for setting, and the operations
  /// that they lead to.
  nonisolated static let turns: [(steps: [String], patch: String?)] = [
    (["+c", "+d"], appended("cd")),
    (["+c", "=ab"], nil),
    (["+c", "=abc"], appended("c")),
    (["+c", "=abd"], replaced("/screens/1/output/text", #""abd""#)),
    (["+c", "=x", "+y"], replaced("/screens/1/output/text", #""xy""#)),
    (["=x", "+y"], replaced("/screens/1/output/text", #""xy""#)),
    (["=x", "=ab", "+c"], appended("c")),
    (["+c", "=", "+ab"], nil),
  ]

  @Test(arguments: turns) func everyTurnLeadsToTheText(
    _ turn: (steps: [String], patch: String?)
  ) async throws {
    let talk = try await pad()
    _ = await talk.send(input(1, "end", #""ab""#))
    let frames = await talk.send(input(2, "steps", "\(turn.steps)")).dropLast()
    #expect(Array(frames) == (turn.patch.map { [frame(3, by: 2, $0)] } ?? []))
    await talk.checkReplica()
    // The next turn goes on from there.
    _ = await talk.send(input(3, "end", #""!""#))
    await talk.checkReplica()
  }

  @Test func observersAndDerivedOutputsSeeTheWholeText() async throws {
    let talk = try await pad()
    let pad = try pad(of: talk)
    let length = Out(0)
    length.derive { pad.output.text.value.count }
    _ = await talk.send(input(1, "end", #""ab""#))
    #expect(length.value == 2)
    _ = await talk.send(input(2, "end", #""c""#))
    #expect(length.value == 3)
    #expect(pad.seen == ["", "ab", "abc"])
  }

  @Test func aFrontEndThatDoesNotAskGetsTheWholeText() async throws {
    let talk = try await pad(#"{"protocol":1}"#)
    _ = await talk.send(input(1, "end", #""a""#))
    await talk.check(
      [input(2, "end", #""b""#)],
      [frame(3, by: 2, replaced("/screens/1/output/text", #""ab""#)), answer(2, 3)])
  }

  @Test func framesThatAppendAreNotRepeatedForAFrontEndThatCannot() async throws {
    let talk = try await pad()
    _ = await talk.send(input(1, "end", #""a""#), input(2, "end", #""b""#))
    func resumed(_ id: Int, _ append: Bool) -> String {
      let resume = #""resume":{"session":"0","revision":2}"#
      return call(id, "initialize", #"{"protocol":1,"append":\#(append),\#(resume)}"#)
    }
    talk.put(resumed(3, true))
    let repeated = try talk.session.takeOutput().map { Line.short(try JSON(parsing: $0)) }
    #expect(repeated.first == frame(3, by: 2, appended("b")))
    #expect(await talk.send(resumed(4, false)).first == "frame 4 by 4 whole")
    await talk.check(
      [input(5, "end", #""c""#)],
      [frame(5, by: 5, replaced("/screens/1/output/text", #""abc""#)), answer(5, 5)])
  }

  // MARK: Support

  private func pad(_ params: String = #"{"protocol":1,"append":true}"#) async throws -> Conversation
  {
    try await Conversation(
      in: Program("pad", version: "1") { _ in
        App(root: .stack(Route(Pad.self)), screens: [ScreenFactory(Pad.self) { _ in Pad() }])
      }, hello: call(0, "initialize", params))
  }

  private func pad(of talk: Conversation) throws -> Pad {
    try #require(talk.session.core.openScreens.first?.part as? Pad)
  }

  private func frame(_ revision: Int, by id: Int, _ patch: String) -> String {
    "frame \(revision) by \(id) \(patch)"
  }

  private func answer(_ id: Int, _ revision: Int) -> String {
    #"\#(id): {"revision":\#(revision)}"#
  }

  private nonisolated static func appended(_ text: String) -> String {
    #"[{"op":"append","path":"/screens/1/output/text","value":"\#(text)"}]"#
  }

  private func appended(_ text: String) -> String { Self.appended(text) }
}

private final class Pad: Screen {
  static let kind = "pad"
  struct Input: Ports {
    let end = In<String>()
    let steps = In<[String]>()
  }
  struct Output: Ports { let text = Out("") }
  let input = Input(), output = Output(), effects = Effects(), router = Router()
  private(set) var seen: [String] = []

  init() {
    input.end.observe { [output] in output.text.append($0) }
    input.steps.observe { [output] steps in
      for step in steps {
        let text = String(step.dropFirst())
        if step.hasPrefix("+") { output.text.append(text) } else { output.text.value = text }
      }
    }
    output.text.observe { [unowned self] in seen.append($0) }
  }
}
