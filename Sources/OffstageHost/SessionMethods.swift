internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The description and the end of a session.
extension Method {
  static let discover = Method(
    "rpc.discover", "Returns this description, an OpenRPC document.",
    result: ["type": "object"]
  ) { _, session throws(RPCError) in
    let document: JSON
    let language = session.core.userLocale.language.description
    do {
      document = try OpenRPC.document(of: session.core.app, session.app, language: language)
    } catch {
      throw .internalError("cannot describe the app: \(error)")
    }
    return .now { $0.json(document) }
  }

  static let cancelRequest = Method(
    "$/cancelRequest",
    "A notification: cancels what a request started and still runs. If it waits for its response, it "
      + "is answered with -32800.",
    params: [Param(name: "id", schema: Schema.reference("RequestID"))],
    result: nil, initializes: false
  ) { params, session throws(RPCError) in
    guard let value = params.value("id") else {
      throw params.missing("id", "string or number or null")
    }
    guard let id = RPCID(value) else { throw params.wrong("id", "string or number or null", value) }
    session.cancel(id)
    return .revision
  }

  static let shutdown = Method(
    "shutdown", "Ends the core: it answers pending requests, flushes its output, and exits with 0.",
    result: ["type": "null"]
  ) { _, session in
    session.shutDown()
    return .now { $0.null() }
  }
}
