internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The description and the end of a session.
extension Method {
  static let discover = Method(
    "rpc.discover", "Returns this description, an OpenRPC document.",
    result: JSONSchema(["type": "object"])
  ) { _, session throws(RPCError) in
    let document: JSON
    let language = session.core.userLocale.language
    do {
      document = try OpenRPC.document(of: session.core.app, session.app, language: language)
    } catch {
      throw RPCError(.internalError, "cannot describe the app: \(error)")
    }
    return .now { $0.json(document) }
  }

  static let cancelRequest = Method(
    "$/cancelRequest",
    "A notification: cancels what a request started and still runs. If it waits for its response, it "
      + "is answered with -32800.",
    params: ["id": "RequestID"],
    result: nil, initializes: false
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
    result: JSONSchema(["type": "null"])
  ) { _, session in
    session.shutDown()
    return .now { $0.null() }
  }
}

/// The document as a whole, and the clock.
extension Method {
  /// For a front end that connected late or lost its copy.
  static let snapshot = Method(
    "state/snapshot", "Returns the whole document.",
    result: .object(["revision": .integer, "state": "Document"])
  ) { _, session in
    // A frame held back for a slow reader must not follow a state that already contains it.
    session.publisher.publish(evenIfBehind: true)
    return .now { session.publisher.writeSnapshot(to: &$0) }
  }

  static let settle = Method(
    "state/settle",
    "Answers once nothing more will happen until the user, the device, or the clock acts. With "
      + "`pending`, lists at once what has not finished.",
    params: ["pending?": .boolean],
    result: .object(["revision": .integer(from: 0), "pending?": .array(pendingSchema)]),
    errors: [.canceled, .overloaded]
  ) { params, session throws(RPCError) in
    guard try params.decode("pending", Bool.self) == true else { return .once(.settled) }
    return .now { $0.json(session.pending) }
  }

  private static let pendingSchema = JSONSchema.object([
    "screen": .types("string", "null"),
    "kind": .string(oneOf: PendingWork.Kind.allCases.map(\.rawValue) + ["request"]),
    "name": .string, "busy": .boolean, "cause?": .types("string", "number", "null"),
  ])

  static let advance = Method(
    "clock/advance", "Advances a virtual clock; the timers that fall due fire in order.",
    params: ["milliseconds": .integer(from: 0)],
    errors: [.refused, .canceled, .overloaded], keepsResponse: true
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
