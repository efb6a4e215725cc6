internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The description and the end of a session.
extension Method {
  static let discover = Method(
    "rpc.discover", "Returns this description, an OpenRPC document.",
    Description(
      "Its texts are in the language of the user.",
      result: NamedSchema("DescriptionResult", JSONSchema(["type": "object"])),
      example: (
        [:], ["openrpc": "1.3.2", "info": ["title": "todo", "version": "1.0"], "methods": []]
      ))
  ) { _, session throws(RPCError) in
    let document: [UInt8]
    let language = session.core.userLocale.language
    do {
      document = try session.build.document(of: session.core.app, language: language)
    } catch {
      throw RPCError(.internalError, "cannot describe the app: \(error)")
    }
    return .now { $0.raw(document) }
  }

  static let cancelRequest = Method(
    "$/cancelRequest",
    "Cancels what a request has started and what still runs or waits.",
    Description(
      "A notification. A request that still waits for its response is answered with -32800.",
      params: ["id": JSONSchema.requestID.described("The id of the request.")],
      result: nil, example: (["id": 7], nil)),
    initializes: false
  ) { params, session throws(RPCError) in
    guard let value = params.value("id") else {
      throw params.missing("id", "string or number or null")
    }
    guard let id = RPCID(value) else { throw params.wrong("id", "string or number or null", value) }
    session.requests.cancel(id)
    return .revision
  }

  static let shutdown = Method(
    "shutdown", "Ends the core: it answers pending requests, flushes its output, and exits with 0.",
    Description(
      "Pending requests are answered with -32800.",
      result: NamedSchema("ShutdownResult", JSONSchema(["type": "null"])), example: ([:], .null))
  ) { _, session in
    session.shutDown()
    return .now { $0.null() }
  }
}

/// The document as a whole, and the clock.
extension Method {
  static let snapshot = Method(
    "state/snapshot", "Returns the whole document.",
    Description(
      "For a front end that has lost its copy, because a patch did not apply for example.",
      result: NamedSchema(
        "SnapshotResult", .object(["revision": .integer(from: 0), "state": "Document"])),
      example: ([:], nil))
  ) { _, session in
    // A frame held back for a slow reader must not follow a state that already contains it.
    session.publisher.publish(evenIfBehind: true)
    return .now { session.publisher.writeSnapshot(to: &$0) }
  }

  static let settle: Method = Method(
    "state/settle",
    "Answers once nothing more will happen until the user, the device, or the clock acts.",
    Description(
      "It waits for running work, and on a real clock for a debounce. It does not wait for prompts, "
        + "for other timers, or for sequences that wait for their next element.",
      params: [
        "pending?": .boolean
          .described("True to get a list of what has not finished, at once.")
      ],
      result: NamedSchema(
        "SettleResult",
        .object(["revision": .integer(from: 0), "pending?": .array(pendingSchema)])),
      example: ([:], ["revision": 4])),
    errors: [.requestCanceled, .overloaded]
  ) { params, session throws(RPCError) in
    guard try params.decode("pending", Bool.self) == true else { return .once(.settled(nil)) }
    return .now { $0.json(session.pending) }
  }

  private static let pendingSchema = JSONSchema.object([
    "screen": .types("string", "null"),
    "kind": .string(oneOf: PendingWork.Kind.allCases.map(\.rawValue) + ["request"]),
    "name": .string, "busy": .boolean.described("True if `state/settle` waits for it."),
    "cause?": .requestID,
  ])

  static let advance = Method(
    "clock/advance", "Advances a virtual clock; the timers that fall due fire in order.",
    Description(
      "Each timer makes a frame of its own, once everything that the previous one started has "
        + "settled. Refused by a clock that is not virtual.",
      params: ["milliseconds": .integer(from: 0).described("How far to advance the clock.")],
      example: (["milliseconds": 300], ["revision": 5])),
    errors: [.refused, .requestCanceled, .overloaded], keepsResponse: true
  ) { params, session throws(RPCError) in
    let milliseconds = try params.int("milliseconds", in: 0...(1 << 53))
    let clock = session.core.clock
    let data: JSON = ["milliseconds": .int(milliseconds)]
    guard clock.isVirtual else {
      throw RPCError(
        .refused, "the clock is real; start the core with --deterministic to advance it", data: data
      )
    }
    guard !session.requests.isAdvancing else {
      throw RPCError(
        .refused, "another request of this batch is advancing the clock", data: data)
    }
    return .once(.advanced(to: clock.time(after: .milliseconds(milliseconds))))
  }
}

extension Session {
  /// The work that has not finished, and the requests that wait for their responses.
  fileprivate var pending: JSON {
    let work = core.pendingWork.map {
      Self.pending(
        .string($0.screen.description), $0.kind.rawValue, $0.name, isBusy: $0.isBusy,
        cause: $0.cause)
    }
    let requests = requests.waiting.map {
      Self.pending(.null, "request", $0.method, isBusy: false, cause: $0.recipient?.id?.text)
    }
    return ["revision": .int(publisher.revision), "pending": .array(work + requests)]
  }

  private static func pending(
    _ screen: JSON, _ kind: String, _ name: String, isBusy: Bool, cause: String?
  ) -> JSON {
    var object: JSONObject = [
      "screen": screen, "kind": .string(kind), "name": .string(name), "busy": .bool(isBusy),
    ]
    object["cause"] = cause.flatMap { try? JSON(parsing: $0) }
    return .object(object)
  }
}
