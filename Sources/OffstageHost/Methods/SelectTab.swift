internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// Another tab.
  static let selectTab = Method(
    "navigation/selectTab", "Selects a tab; every tab keeps its stack.",
    params: [Param(name: "tab", schema: ["type": "string"])],
    errors: [.refused]
  ) { params, session throws(RPCError) in
    let tab = try params.string("tab")
    guard session.core.selectTab(tab) else {
      throw RPCError(.refused, "There is no tab \"\(tab)\".", data: ["tab": .string(tab)])
    }
    return .revision
  }
}
