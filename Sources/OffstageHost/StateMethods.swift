internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The document as a whole, and the time it lives in.
extension Method {
  /// For a front end that connected late or lost its copy.
  static let snapshot = Method(
    "state/snapshot", "Returns the whole document.",
    result: [
      "type": "object",
      "properties": ["revision": ["type": "integer"], "state": Schema.reference("Document")],
      "required": ["revision", "state"],
    ]
  ) { _, session in
    // A frame that waits for a slow reader must not follow a state that contains it already.
    session.publish(evenIfBehind: true)
    return .now { session.writeSnapshot(to: &$0) }
  }

  static let settle = Method(
    "state/settle",
    "Answers once nothing more will happen until the user, the device, or the clock acts. With "
      + "`pending`, lists at once what has not finished.",
    params: [Param(name: "pending", schema: ["type": "boolean"], isRequired: false)],
    result: [
      "type": "object",
      "properties": [
        "revision": ["type": "integer", "minimum": 0],
        "pending": ["type": "array", "items": pendingSchema],
      ],
      "required": ["revision"],
    ],
    errors: [.cancelled, .overloaded]
  ) { params, session throws(RPCError) in
    guard try params.optionalBool("pending") == true else { return .once(.settled) }
    return .now { session.writePending(to: &$0) }
  }

  private static let pendingSchema: JSON = [
    "type": "object",
    "properties": [
      "screen": ["type": ["string", "null"]],
      "kind": [
        "enum": .array((PendingWork.Kind.allCases.map(\.rawValue) + ["request"]).map(JSON.string))
      ],
      "name": ["type": "string"],
      "busy": ["type": "boolean"],
      "cause": ["type": ["string", "number", "null"]],
    ],
    "required": ["screen", "kind", "name", "busy"],
  ]

  static let advance = Method(
    "clock/advance", "Advances a virtual clock; the timers that fall due fire in order.",
    params: [Param(name: "milliseconds", schema: ["type": "integer", "minimum": 0])],
    errors: [.refused, .cancelled, .overloaded], keepsResponse: true
  ) { params, session throws(RPCError) in
    let milliseconds = try params.int("milliseconds")
    guard milliseconds >= 0 else {
      throw Params.invalid(
        "/milliseconds",
        JSONMismatch(
          path: "", expected: "integer from 0 to 9007199254740992", found: "number",
          value: "\(milliseconds)"))
    }
    let clock = session.core.clock
    let data: JSON = ["milliseconds": .int(milliseconds)]
    guard clock.isVirtual else {
      throw RPCError(
        .refused, "the clock is real; start the core with --deterministic to advance it", data: data
      )
    }
    guard !session.isAdvancing else {
      throw RPCError(
        .refused, "another request of this batch is advancing the clock", data: data)
    }
    return .once(.advanced(to: clock.time(after: .milliseconds(milliseconds))))
  }
}

extension Session {
  /// Writes the work that has not finished, and the requests that wait for their responses.
  fileprivate func writePending(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("revision")
    writer.int(revision)
    writer.key("pending")
    writer.beginArray()
    for work in core.pendingWork {
      writer.pending(
        work.screen.description, work.kind.rawValue, work.name, isBusy: work.isBusy,
        cause: work.cause)
    }
    for request in waiting {
      writer.pending(
        nil, "request", request.method, isBusy: false, cause: request.slot?.id?.text)
    }
    writer.endArray()
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func pending(
    _ screen: String?, _ kind: String, _ name: String, isBusy: Bool, cause: String?
  ) {
    beginObject()
    key("screen")
    if let screen { string(screen) } else { null() }
    key("kind")
    string(kind)
    key("name")
    string(name)
    key("busy")
    bool(isBusy)
    self.cause(cause)
    endObject()
  }
}
