internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// What this core takes and gives.
  static let discover = Method(
    "rpc.discover", "Gives this description: an OpenRPC document.",
    result: ["type": "object"]
  ) { _, session throws(RPCError) in
    let document: JSON
    do { document = try OpenRPC.document(of: session.core.app, session.app) } catch {
      throw .internalError("The app cannot be described: \(error)")
    }
    return .now { $0.json(document) }
  }
}
