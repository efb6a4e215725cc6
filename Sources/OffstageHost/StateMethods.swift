internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The document as a whole, and the time it lives in.
extension Method {
  /// For a front end that came late or lost its copy.
  static let snapshot = Method(
    "state/snapshot", "Gives the whole document.",
    result: [
      "type": "object",
      "properties": ["revision": ["type": "integer"], "state": ["type": "object"]],
      "required": ["revision", "state"],
    ]
  ) { _, session in
    // A frame that waits for a slow reader must not follow a state that contains it already.
    session.publish(evenIfBehind: true)
    return .now { session.writeSnapshot(to: &$0) }
  }

  static let settle = Method(
    "state/settle",
    "Answers once nothing more will happen until a person, a device or the clock acts.",
    errors: [.cancelled, .overloaded]
  ) { _, _ in .once(.settled) }

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
        .refused, "the clock is real; start the core with --deterministic to advance it")
    }
    guard !session.isAdvancing else {
      throw RPCError(.refused, "another request of this batch is advancing the clock")
    }
    return .once(.advanced(to: clock.time(after: .milliseconds(milliseconds))))
  }
}
