internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// A deep link.
  static let open = Method(
    "navigation/open", "Opens a URL of the app, through its tabs and their stacks.",
    params: [Param(name: "url", schema: ["type": "string"])],
    errors: [.refused]
  ) { params, session throws(RPCError) in
    let url = try params.string("url")
    do { try session.core.open(url) } catch {
      throw RPCError(.refused, "\(error)", data: ["url": .string(url)])
    }
    return .revision
  }
}
