internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// Back by several steps at once.
  static let popTo = Method(
    "navigation/popTo", "Closes all that covers a screen.",
    params: [Param(name: "screen", schema: ["type": "string"])],
    errors: [.noSuchScreen, .refused]
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    guard session.core.popTo(screen.id) else {
      throw RPCError(
        .refused, "Screen \(screen.id) is on no stack.",
        data: ["screen": .string(screen.id.description)])
    }
    return .revision
  }
}
