import Offstage
import OffstageTesting

/// Notes what comes, and when on the core's clock.
@CoreActor
final class Heard<Value> {
  struct Note {
    let value: Value
    /// Milliseconds since the beginning.
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
