import Offstage
import OffstageJSON
import OffstageTesting

/// A screen with all kinds of ports. The test that creates it connects them.
final class Probe: Screen {
  static let kind = "probe"

  struct Item: Identifiable, Codable, Equatable, Sendable {
    var id: String
    var text = ""
    var count: Int? = nil
  }

  struct Input: Ports {
    let text = Field<String?>(nil)
    let number = Field(0)
    let digit = In<Int>()
    let tap = In<Trigger>()
    let result = In<Int?>()
  }

  struct Output: Ports {
    let text = Out("")
    let number = Out(0)
    let sent = Event<Int>()
    let items = Rows<Item>()
  }

  typealias Result = Int

  let input = Input()
  let output = Output()
  let effects = Effects()
  let router = Router()

  init(_ wire: (Probe) -> Void = { _ in }) { wire(self) }
}

extension Probe {
  /// Returns a core whose router can show this screen.
  static func core(capabilities: Set<String> = []) -> TestCore {
    TestCore(
      App(root: .tabs([]), screens: [ScreenFactory(Probe.self) { _ in Probe() }]),
      capabilities: capabilities)
  }
}

/// Records values, and their arrival times on the core's clock.
@CoreActor
final class Recorder<Value> {
  struct Note {
    let value: Value
    /// Milliseconds since the recorder was created.
    let time: Int
  }

  private(set) var notes: [Note] = []
  private let core: TestCore?
  private let start: Duration

  var values: [Value] { notes.map(\.value) }
  var times: [Int] { notes.map(\.time) }

  init(_ core: TestCore? = nil) {
    self.core = core
    start = core?.core.clock.now ?? .zero
  }

  func append(_ value: Value) {
    let passed = (core?.core.clock.now ?? .zero) - start
    notes.append(Note(value: value, time: Int(passed / .milliseconds(1))))
  }
}

/// A slow repository: work that waits here keeps the core busy.
@CoreActor
final class Gate {
  private var waiting: [CheckedContinuation<Void, any Error>] = []

  var isWaitedAt: Bool { !waiting.isEmpty }

  func pass() async throws { try await withCheckedThrowingContinuation { waiting.append($0) } }

  func open(throwing error: (any Error)? = nil) {
    let passing = waiting
    waiting = []
    for continuation in passing {
      if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
  }
}

/// The failure of a test double.
struct Broken: Error, Equatable {}

/// A weak reference.
struct Weak<Object: AnyObject> {
  weak var object: Object?

  init(_ object: Object) { self.object = object }
}

extension TestCore {
  /// Ends the current turn and runs all work that is due.
  func turn() async {
    await Task.yield()
    await settle()
    await Task.yield()
  }

  /// Passes the changes of every turn to `note` instead of a front end.
  func watch(_ note: @escaping (Changes) -> Void) {
    let turnEnded = core.onTurnEnd
    core.onTurnEnd = { [weak core] in
      if let core, core.hasChanges { core.publish { note($0) } }
      turnEnded()
    }
  }
}

extension TestCore {
  /// Answers a prompt as a front end does.
  /// - Returns: False if no prompt has this id.
  @discardableResult
  func answer(_ id: String, _ json: String) throws -> Bool {
    try JSONText(json).withRoot { try core.answer(id, $0) }
  }
}

extension Core {
  /// Handles a request.
  func turn(of id: String?, _ body: () -> Void) {
    beginTurn(of: id)
    body()
    endTurn()
  }
}

extension Cause {
  /// True once everything it started has finished.
  var isFinished: Bool { unfinished == 0 }
}
