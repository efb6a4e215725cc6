internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// Time passes.
  static let advance = Method(
    "clock/advance", "Advances a virtual clock; the timers that fall due fire in order.",
    params: [Param(name: "milliseconds", schema: ["type": "integer", "minimum": 0])],
    errors: [.refused, .cancelled, .overloaded]
  ) { params, session throws(RPCError) in
    let milliseconds = try params.int("milliseconds")
    guard milliseconds >= 0 else {
      throw Params.invalid("/milliseconds", expected: "0 or more", found: "\(milliseconds)")
    }
    let clock = session.core.clock
    guard clock.isVirtual else {
      throw RPCError(
        .refused, "This core follows the real clock. Start it with --deterministic to advance it.")
    }
    guard !session.isAdvancing else {
      throw RPCError(.refused, "The clock is being advanced by another request of this batch.")
    }
    return .once(.advanced(to: clock.time(after: .milliseconds(milliseconds))))
  }
}
