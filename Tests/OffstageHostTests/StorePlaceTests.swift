import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// A session whose state several hosts share.
@Suite @CoreActor struct StorePlaceTests {
  private let store = SlowStore()
  private let writer: SessionWriter
  private let talk: Conversation
  private let place: StorePlace
  private let key = SessionKey(visitor: "kim", id: "1")

  init() async throws {
    writer = SessionWriter(
      store, AppInfo(name: "notes", version: "1"), retryDelay: .zero, goodDelay: .seconds(3600))
    let program = Program("notes", version: "1") { _ in
      App(root: .stack(Route(Diary.self)), screens: [ScreenFactory(Diary.self) { _ in Diary() }])
    }
    talk = try await Conversation(in: program, hello: nil)
    place = try StorePlace(key, writer, nil)
    talk.session.keepState(in: place)
  }

  /// Reads so many lines.
  private func output(_ count: Int) async -> [String] {
    var lines: [String] = []
    await until {
      lines += talk.pull()
      return lines.count >= count
    }
    return lines
  }

  /// Shows the app, and keeps its first state.
  private func start() async {
    _ = await talk.send(call(0, "state/settle"))
    await store.answer(.success([]))
    #expect(await output(2).count == 2)
  }

  @Test func outputWaitsUntilTheStoreHasWhatItTellsOf() async throws {
    #expect(await talk.send(call(0, "state/settle")) == [])
    await until { store.writes.count == 1 }
    let first = try #require(store.writes.first)
    #expect(first.map(\.number) == [1] && first.map(\.kind) == [.whole])
    #expect(first.map(\.lease.epoch) == [1] && first.map(\.visitor) == ["kim"])
    // Changes during a write are written with the next one.
    #expect(await talk.send(input(1, "text", #""a""#), input(2, "text", #""b""#)) == [])
    #expect(store.writes.count == 1 && !place.isQuiet)
    await store.answer(.success([]))
    #expect(await output(2).map { $0.prefix(7) } == ["frame 1", "0: {\"re"])
    await until { store.writes.count == 2 }
    #expect(store.writes.last?.map(\.number) == [2, 3])
    await store.answer(.success([]))
    let lines = await output(4)
    #expect(lines.map { $0.prefix(7) } == ["frame 2", "1: {\"re", "frame 3", "2: {\"re"])
    #expect(place.isQuiet && writer.canEnd)
    // Nothing has to be kept for these.
    #expect(await talk.send(call(3, "state/settle")) == [#"3: {"revision":3}"#])
    #expect(store.writes.count == 2)
  }

  @Test func anotherHostGoesOnFromTheChanges() async throws {
    await start()
    for id in 1...3 {
      _ = await talk.send(input(id, "text", #""text \#(id)""#))
      await store.answer(.success([]))
      #expect(await output(2).count == 2)
    }
    let changes = store.writes.joined().map(\.patch)
    #expect(changes.count == 4)
    let next = try StorePlace(
      key, writer, KeptSession(epoch: 2, changes: changes, last: 4, starts: 1))
    #expect(next.state?["session"]?["id"]?.string == talk.session.id)
    #expect(next.state == talk.session.state.settingRevision(of: next.state))
  }

  @Test func aStateThatHasLedToDeathsIsSetAside() async throws {
    await start()
    let changes = store.writes.joined().map(\.patch)
    for (starts, isUsed) in [(1, true), (2, true), (3, false)] {
      let kept = KeptSession(epoch: 2, changes: changes, last: 1, starts: starts)
      #expect(try (StorePlace(key, writer, kept).state != nil) == isUsed)
    }
    // Once the app has come to rest after an input, a death says nothing about the state.
    place.handleNext(talk.session)
    #expect(writer.canEnd)
    _ = await talk.send(input(1, "text", #""a""#))
    await store.answer(.success([]))
    #expect(await output(2).count == 2)
    place.handleNext(talk.session)
    await store.answer(.success([]))
    await until { writer.canEnd }
    #expect(store.writes.joined().map(\.kind) == [.whole, .part, .rest])
    place.handleNext(talk.session)
    #expect(writer.canEnd)
  }

  @Test func aSessionWhoseFrontEndHasGoneMeanwhileHasNotDied() async throws {
    await start()
    let kept = KeptSession(
      epoch: 2, changes: store.writes.joined().map(\.patch), last: 1, starts: 2)
    try StorePlace(SessionKey(visitor: "kim", id: "2"), writer, kept).putBack()
    await until { store.writes.last?.map(\.kind) == [.rest] }
    await store.answer(.success([]))
    #expect(store.writes.last?.map(\.lease.epoch) == [2])
  }

  @Test func whileTheStoreIsAwayTheSessionGoesOn() async throws {
    _ = await talk.send(call(0, "state/settle"), input(1, "text", #""a""#))
    // One that fails may have met another transaction.
    await store.answer(.failure(Unreachable()))
    await until { store.writes.count == 1 && !place.isQuiet }
    #expect(talk.pull() == [] && !writer.isAway)
    await until {
      writer.handleNext()
      return store.writes.count == 2
    }
    await store.answer(.failure(Unreachable()))
    #expect(await output(4).count == 4)
    #expect(writer.isAway && place.isQuiet)
    #expect(await talk.send(input(2, "text", #""b""#), input(3, "text", #""c""#)).count == 4)
    // Only the whole state waits, however long the store is away.
    writer.handleNext()
    await until { store.writes.count == 3 }
    #expect(store.writes.last?.map(\.kind) == [.whole])
    #expect(store.writes.last?.map(\.number) == [4])
    await store.answer(.success([]))
    await until { !writer.isAway }
    #expect(writer.canEnd)
    #expect(await talk.send(input(4, "text", #""d""#)) == [])
    await store.answer(.success([]))
    #expect(await output(2).count == 2)
  }

  @Test func aSessionIsWrittenBeforeItsStartCountsAsGood() async throws {
    _ = await talk.send(call(0, "state/settle"))
    await until { store.writes.count == 1 }
    place.noteGoodStart()
    await store.answer(.failure(Unreachable()))
    await until {
      writer.handleNext()
      return store.writes.count == 2
    }
    await store.answer(.failure(Unreachable()))
    await until { writer.isAway }
    // The whole state takes the place of the one that could not be written.
    _ = await talk.send(input(1, "text", #""a""#))
    await until {
      writer.handleNext()
      return store.writes.count == 3
    }
    // The store does not know the session before.
    #expect(store.writes.last?.map(\.kind) == [.whole, .rest])
    await store.answer(.success([]))
    await until { writer.canEnd }
  }

  @Test func aSessionThatAnotherHostHasTellsNothingMore() async throws {
    await start()
    var isLost = false
    writer.onLoss = { isLost = $0 == key }
    _ = await talk.send(input(1, "text", #""a""#), input(2, "text", #""b""#))
    await store.answer(.success(["1"]))
    await until { isLost }
    #expect(talk.session.place == nil && talk.pull() == [])
    // This host is alive, so its start was no death.
    await until { store.writes.count == 3 }
    #expect(store.writes.last?.map(\.kind) == [.rest])
    await store.answer(.success(["1"]))
    await until { writer.canEnd }
    #expect(store.writes.count == 3)
  }

  @Test func aFrontEndThatHasSeenMoreEndsTheSession() async throws {
    await start()
    var isLost = false
    writer.onLoss = { isLost = $0 == key }
    func resume(_ revision: Int) -> String {
      let resume = #"{"session":"\#(talk.session.id)","revision":\#(revision)}"#
      return call(1, "initialize", #"{"protocol":1,"resume":\#(resume)}"#)
    }
    let same = await talk.send(resume(talk.session.publisher.revision))
    #expect(same.last?.contains(#""session":"\#(talk.session.id)""#) == true && !isLost)
    // Another host has gone on meanwhile, and this one has not noticed it.
    let ahead = await talk.send(resume(talk.session.publisher.revision + 1))
    #expect(ahead.last?.contains("1005") == true && ahead.count == 1)
    await until { isLost }
    #expect(isLost && talk.session.place == nil)
    await store.answer(.success(["1"]))
    #expect(store.writes.last?.map(\.kind) == [.rest])
  }

  @Test func aStartIsGoodAfterAWhileWithoutAnInput() async throws {
    await start()
    let other = SessionWriter(store, AppInfo(name: "notes", version: "1"), goodDelay: .zero)
    let changes = store.writes.joined().map(\.patch)
    let next = try StorePlace(
      key, other, KeptSession(epoch: 2, changes: changes, last: 1, starts: 2))
    next.noteStart()
    other.handleNext()
    await until { store.writes.count == 2 }
    #expect(store.writes.last?.map(\.kind) == [.rest])
    #expect(store.writes.last?.map(\.lease.epoch) == [2])
    await store.answer(.success([]))
    await until { other.canEnd }
    other.handleNext()
    #expect(other.canEnd)
  }

  @Test func manyChangesBecomeTheWholeState() async throws {
    await start()
    let long = String(repeating: "x", count: 30_000)
    for id in 1...4 {
      _ = await talk.send(input(id, "text", #""\#(long)\#(id)""#))
      await store.answer(.success([]))
      #expect(await output(2).count == 2)
    }
    #expect(store.writes.joined().map(\.kind) == [.whole, .part, .part, .whole, .part])
  }
}

/// A screen that keeps what is written.
private final class Diary: Screen {
  static let kind = "diary"

  struct Input: Ports { let text = In<String>() }
  struct Output: Ports { let text = Out("", .kept) }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() { input.text.observe { [output] in output.text.value = $0 } }
}

/// Lets other work run until a condition is met.
@CoreActor
private func until(_ isMet: () -> Bool) async {
  for _ in 0..<100_000 {
    if isMet() { return }
    await Task.yield()
  }
}

private struct Unreachable: Error {}

/// A store that answers when a test says so.
@CoreActor
private final class SlowStore: SessionStore {
  private(set) var writes: [[SessionChange]] = []
  private var answers: [CheckedContinuation<Set<String>, any Error>] = []

  func write(_ changes: [SessionChange]) async throws -> Set<String> {
    writes.append(changes)
    return try await withCheckedThrowingContinuation { answers.append($0) }
  }

  /// Answers the write that is under way, or about to be.
  func answer(_ result: Result<Set<String>, any Error>) async {
    await until { !answers.isEmpty }
    answers.removeFirst().resume(with: result)
  }

  func take(_ session: String, of visitor: String) async throws -> KeptSession? { nil }
  func unused(for seconds: Int) async throws -> [(session: String, visitor: String)] { [] }
  func isLast(_ session: String, of visitor: String) async throws -> Bool { true }
  func remove(_ session: String) async throws {}
}

extension JSON {
  /// The revision is kept with the whole state only: the front end says which one it has.
  fileprivate func settingRevision(of other: JSON?) -> JSON {
    var state = self
    state["session"]?["revision"] = other?["session"]?["revision"]
    return state
  }
}
