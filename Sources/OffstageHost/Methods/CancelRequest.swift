internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// A request is no longer wanted.
  static let cancelRequest = Method(
    "$/cancelRequest",
    "A notification: cancels a waiting request and what it started; it is answered with -32800.",
    params: [Param(name: "id", schema: ["type": ["string", "integer", "number"]])],
    initializes: false
  ) { params, session throws(RPCError) in
    guard let value = params.value("id") else { throw params.missing("id", "string or number") }
    guard let id = RPCID(value) else { throw params.wrong("id", "string or number", value) }
    session.cancel(id)
    return .revision
  }
}
