import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// A front end that does not read delays only its own frames.
@Suite @CoreActor struct SlowReaderTests {
  /// A text of a bit more than a quarter of the high-water mark.
  static let long = "\"" + String(repeating: "x", count: 300_000) + "\""

  @Test func oneFrameHoldsEverythingMissed() async throws {
    let talk = try await behind()
    let revision = talk.session.publisher.revision
    talk.put(
      input(1, "tell", "1"), input(2, "push"), input(3, "tell", "2", on: 3), input(4, "items", "2"),
      input(5, "items", "1"), input(6, "push", on: 3), input(7, "push", on: 4),
      call(8, "navigation/popTo", #"{"screen":"3"}"#), input(9, "text", #""last""#))
    await talk.turn()
    #expect(talk.session.publisher.revision == revision, "no frame is made")
    let lines = talk.pull().filter { !$0.hasPrefix("10") }
    let responses = lines.filter { !$0.hasPrefix("frame") }
    #expect(
      responses
        == (1...9).map { id in
          let outcome = id == 8 ? #","outcome":"done""# : ""
          return #"\#(id): {"revision":\#(revision)\#(outcome)}"#
        })
    let frames = lines.filter { $0.hasPrefix("frame") }
    #expect(frames.count == revision - 1 + 1)
    let last = try #require(lines.last)
    #expect(last.hasPrefix("frame \(revision + 1) by 9 ["))
    #expect(last.hasSuffix(" push 3 push 4 push 5 popTo 3 1.told 1 3.told 2"))
    #expect(talk.shape == "a* 1 3|b 2")
    await talk.checkReplica()
  }

  @Test func patchesAreMerged() async throws {
    let talk = try await behind()
    for text in ["a", "b", "c"] { talk.put(input(1, "text", "\"\(text)\"")) }
    talk.put(input(2, "push"), call(3, "navigation/back"))
    let last = try #require(talk.pull().last)
    #expect(last.hasSuffix(replaced("/screens/1/output/text", #""c""#) + " push 3 pop 3"))
    await talk.checkReplica()
  }

  @Test func changesThatCancelOutMakeNoFrame() async throws {
    let talk = try await behind()
    let revision = talk.session.publisher.revision
    talk.put(input(1, "items", "3"), input(2, "items", "0"))
    let lines = talk.pull()
    #expect(talk.session.publisher.revision <= revision + 1, "\(lines.last ?? "")")
    await talk.checkReplica()
  }

  @Test func snapshotsAreConsistentWhileBehind() async throws {
    let talk = try await behind()
    talk.put(input(1, "push"), input(2, "text", #""b""#), call(3, "state/snapshot"))
    talk.put(input(4, "items", "2"), call(5, "navigation/back"), call(6, "state/snapshot"))
    _ = talk.pull()
    #expect(talk.snapshotCount == 2)
    await talk.checkReplica()
  }

  @Test func randomReaderReachesTheSameDocument() async throws {
    var random = SplitMix64(seed: 7)
    let talk = try await Conversation()
    for id in 1...400 {
      let screen = Int.random(in: 1...6, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<3: talk.put(input(id, "text", Self.long, on: screen))
      case 3: talk.put(input(id, "text", "\"\(id)\"", on: screen))
      case 4: talk.put(input(id, "items", "\(Int.random(in: 0...9, using: &random))", on: screen))
      case 5: talk.put(input(id, "push", on: screen))
      case 6: talk.put(input(id, "sheet", on: screen))
      case 7: talk.put(input(id, "work", "3", on: screen))
      case 8: talk.put(call(id, "navigation/back"))
      case 9: talk.put(call(id, "state/snapshot"))
      case 10: await talk.turn()
      default:
        _ = talk.pull()
        await talk.checkReplica()
      }
    }
    _ = talk.pull()
    await talk.checkReplica()
  }

  @Test func readingStopsAtTheLimit() async throws {
    let talk = try await Conversation()
    talk.put(input(1, "text", Self.long))
    var id = 2
    while talk.session.isReady, id < 1_000 {
      talk.put(call(id, "state/snapshot"))
      id += 1
    }
    #expect(!talk.session.isReady)
    #expect((40...70).contains(id), "\(id)")
    #expect(talk.session.publisher.output.unsentCount > 16 << 20)
    #expect(talk.pull().count == id)
    #expect(talk.session.isReady)
  }

  @Test(arguments: ["navigation", "events"]) func pendingChangesAreBounded(_ kind: String)
    async throws
  {
    let talk = try await behind()
    var count = 0
    while talk.session.isReady, count < 20_000 {
      count += 1
      talk.put(
        kind == "events"
          ? notification("input", #"{"screen":"1","name":"echo","value":\#(Self.long)}"#)
          : notification("navigation/selectTab", #"{"tab":"\#(count % 2 == 0 ? "a" : "b")"}"#))
    }
    #expect(!talk.session.isReady)
    #expect(talk.session.core.backlog > talk.session.publisher.longestBacklog)
    #expect(talk.session.core.backlog < talk.session.publisher.longestBacklog + (1 << 20))
    _ = talk.pull()
    #expect(talk.session.isReady)
    await talk.checkReplica()
  }

  /// Tickers and effects go on while the core does not read.
  @Test func eventsOfEffectsAreBounded() async throws {
    let talk = try await behind()
    talk.session.publisher.longestBacklog = 1 << 20
    let core = talk.session.core
    let desk = try #require(core.screen(ScreenID(1))?.part as? Desk)
    for number in 1...30 {
      core.during(nil) {
        desk.output.echoed.send(Self.long)
        desk.output.count.value = number
      }
      CoreActor.executor.endTurn()
      #expect(core.backlog < 3 << 20)
    }
    let lines = talk.pull()
    let sent = lines.last?.ranges(of: "1.echoed").count ?? 0
    #expect(lines.last?.contains(" whole 1.echoed ") == true)
    #expect(lines.contains(#"error 1005 {"errors":0,"events":\#(30 - sent)}"#))
    await talk.checkReplica()
    await talk.check(
      [input(1, "tell", "1")],
      [
        "frame \(talk.replica.revision + 1) by 1 1.told 1",
        #"1: {"revision":\#(talk.replica.revision + 1)}"#,
      ])
  }

  /// Navigation by effects, too: the document that follows says where it has led.
  @Test func navigationOfEffectsIsBounded() async throws {
    let talk = try await behind()
    talk.session.publisher.longestBacklog = 1 << 20
    let core = talk.session.core
    for number in 1...4_000 {
      core.during(nil) { _ = core.selectTab(number.isMultiple(of: 2) ? "a" : "b") }
      CoreActor.executor.endTurn()
      #expect(core.backlog < 3 << 20)
    }
    core.during(nil) { _ = core.selectTab("b") }
    CoreActor.executor.endTurn()
    let lines = talk.pull()
    #expect(!lines.contains { $0.hasPrefix("error") }, "no event is lost")
    #expect(talk.shape == "a 1|b* 2")
    await talk.checkReplica()
  }

  @Test func faultsOfEffectsAreBounded() async throws {
    let talk = try await Conversation()
    for _ in 1...5_000 { talk.session.core.report(Fault(Self.long)) }
    #expect(talk.session.publisher.output.unsentCount < 17 << 20)
    // Reading them as JSON would take long.
    let lines = talk.session.takeOutput()
    let sent = lines.count - 1
    #expect((4_000..<5_000).contains(sent))
    let loss = Line.short(try JSON(parsing: lines[sent]))
    #expect(loss == #"error 1005 {"errors":\#(5_000 - sent),"events":0}"#)
    talk.session.core.report(Fault("x"))
    #expect(talk.pull() == ["error -32603"])
  }

  /// A session with more than a mebibyte unsent.
  private func behind() async throws -> Conversation {
    let talk = try await Conversation()
    var id = 100
    while !talk.session.publisher.output.isBehind {
      talk.put(input(id, "text", id.isMultiple(of: 2) ? Self.long : "\"\""))
      id += 1
    }
    return talk
  }
}

@Suite struct OutputQueueTests {
  @Test func sendRemovesWhatWasTaken() {
    var queue = OutputQueue()
    for number in 1...3 { queue.line { $0.int(number) } }
    queue.write(Array("[4]".utf8))
    #expect(queue.unsentCount == 10)
    #expect(queue.isEmpty == false)
    #expect(take(3, of: &queue) == "1\n2")
    queue.line { $0.null() }
    #expect(take(0, of: &queue) == "")
    #expect(queue.unsentCount == 12)
    #expect(take(100, of: &queue) == "\n3\n[4]\nnull\n")
    #expect(queue.isEmpty == true)
  }

  @Test func queueKnowsHowFarTheReaderIsBehind() {
    var queue = OutputQueue()
    let line = [UInt8](repeating: 0x31, count: 1 << 18)
    for _ in 0..<3 { queue.write(line) }
    #expect(queue.isBehind == false)
    for _ in 0..<2 { queue.write(line) }
    #expect(queue.isBehind == true)
    #expect(queue.isOverfull == false)
    while !queue.isOverfull { queue.write(line) }
    #expect(queue.unsentCount > 16 << 20)
    #expect(queue.unsentCount < 17 << 20)
    _ = take(queue.unsentCount - 1, of: &queue)
    #expect(queue.isBehind == false)
    #expect(queue.unsentCount == 1)
    #expect(queue.takeLines() == [])
    #expect(queue.isEmpty == true)
  }

  @Test func everyLineIsRecorded() {
    var lines: [String] = []
    var queue = OutputQueue()
    queue.onLine = { lines.append($0) }
    queue.line { $0.string("a") }
    queue.write(Array("[1]".utf8))
    #expect(lines == [#""a""#, "[1]"])
    #expect(queue.takeLines() == lines)
  }

  private func take(_ count: Int, of queue: inout OutputQueue) -> String {
    var taken = ""
    queue.send { bytes in
      let part = bytes.prefix(count)
      taken = String(decoding: part, as: UTF8.self)
      return part.count
    }
    return taken
  }
}

/// One of many sessions, once it has nothing to do.
@Suite @CoreActor struct RestTests {
  @Test func newestFramesOutliveARest() async throws {
    let talk = try await Conversation()
    let text = String(repeating: "x", count: 20_000)
    for value in [text, "a", "b"] { _ = await talk.send(input(1, "text", "\"\(value)\"")) }
    #expect(talk.session.publisher.output.memory > 20_000)
    talk.session.rest()
    #expect(talk.session.publisher.output.memory <= 4096)
    let revision = talk.session.publisher.revision
    #expect(await resume(talk, after: revision - 2) == ["\(revision - 1)", "\(revision)"])
    #expect(await resume(talk, after: revision - 3) == ["\(revision + 1) whole"])
  }

  /// - Returns: The revisions of the frames that come.
  private func resume(_ talk: Conversation, after revision: Int) async -> [String] {
    let resume = #""resume":{"session":"0","revision":\#(revision)}"#
    talk.put(call(2, "initialize", #"{"protocol":1,\#(resume)}"#))
    return talk.session.takeOutput().compactMap { line in
      let frame = Line.short((try? JSON(parsing: line)) ?? .null)
      guard frame.hasPrefix("frame ") else { return nil }
      return frame.split(separator: " ")[1] + (frame.contains(" whole") ? " whole" : "")
    }
  }
}

/// A screen that changes and closes in one turn.
@Suite @CoreActor struct LastFrameTests {
  @Test func lastFrameOfAScreenHasItsChanges() async throws {
    let talk = try await Conversation(
      in: Program("farewell", version: "1") { _ in
        App(
          root: .stack(Route(Farewell.self)),
          screens: [ScreenFactory(Farewell.self) { _ in Farewell() }])
      })
    _ = await talk.send(input(1, "open"))
    let lines = await talk.send(input(2, "leave", on: 2))
    let last = try #require(lines.first)
    for change in [
      #""path":"/screens/2/output/count","value":1"#,
      #""path":"/screens/2/output/rows/0","value":{"id":7}"#,
      #""path":"/screens/2/fields/nameText/value","value":"Kim""#,
      #""path":"/screens/2/fields/nameText/error","value":"Taken.""#,
      #"{"op":"remove","path":"/screens/2"}"#,
    ] {
      #expect(last.contains(change), "\(last)")
    }
    await talk.checkReplica()
  }
}

private final class Farewell: Screen {
  static let kind = "farewell"
  struct Input: Ports {
    let open = In<Trigger>()
    let leave = In<Trigger>()
    let nameText = Field("")
  }
  struct Row: Identifiable, Codable, Equatable { let id: Int }
  struct Output: Ports {
    let count = Out(0)
    let rows = Rows<Row>()
  }
  let input = Input(), output = Output(), effects = Effects(), router = Router()

  init() {
    input.open.observe { [router] in router.push(Farewell.self) }
    input.leave.observe { [self] in
      output.count.value = 1
      output.rows.append(Row(id: 7))
      input.nameText.value = "Kim"
      input.nameText.error = "Taken."
      router.close()
    }
  }
}

/// An infinity is not a JSON number: null is sent, and the fault names the port.
@Suite @CoreActor struct UnsendableValueTests {
  @Test func invalidOutputIsNullAndAFault() async throws {
    let talk = try await Conversation()
    let desk = try #require(talk.session.core.screen(ScreenID(1))?.part as? Desk)
    func show(_ lat: Double, _ lon: Double) -> [String] {
      talk.session.core.during(nil) { desk.output.place.value = Desk.Place(lat: lat, lon: lon) }
      CoreActor.executor.endTurn()
      return talk.pull()
    }
    let null = #"[{"op":"replace","path":"/screens/1/output/place","value":null}]"#
    #expect(show(.infinity, 1) == ["frame 2 \(null)", "error -32603"])
    // Once per change, and not for a snapshot.
    await talk.checkReplica()
    #expect(show(1, -.infinity) == ["frame 3 \(null)", "error -32603"])
    #expect(show(1, 2).count == 1)
  }

  @Test func invalidEventIsNullAndAFault() async throws {
    let talk = try await Conversation()
    let core = talk.session.core
    let node = try #require(core.screen(ScreenID(1)))
    core.during(nil) { core.emit([1, .nan], named: "told", of: node) }
    CoreActor.executor.endTurn()
    #expect(talk.pull() == ["error -32603", "frame 2 1.told null"])
  }

  @Test func faultNamesValueAndPlace() {
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
