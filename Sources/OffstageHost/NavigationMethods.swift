internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// Moves between screens that a person can always make.
extension Method {
  static let back = Method(
    "navigation/back", "Pops or dismisses what is on top.", errors: [.refused]
  ) { _, session throws(RPCError) in
    guard session.core.back() else {
      throw RPCError(
        .refused,
        session.core.navigation.modals.isEmpty
          ? "nothing to go back to: this is the root"
          : "cannot go back: only its own buttons dismiss the modal on top")
    }
    return .revision
  }

  static let dismiss = Method(
    "navigation/dismiss", "Closes a presentation or modal, by its id or that of a screen in it.",
    params: [
      Param(name: "screen", schema: ["type": "string"], isRequired: false),
      Param(name: "presentation", schema: ["type": "string"], isRequired: false),
    ],
    errors: [.noSuchScreen, .refused]
  ) { params, session throws(RPCError) in
    if let presentation = try params.optionalString("presentation") {
      guard session.core.dismiss(presentation: presentation) else {
        throw RPCError(
          .refused,
          "cannot dismiss \"\(presentation)\": it is not presented, or only its own buttons dismiss it",
          data: ["presentation": .string(presentation)])
      }
      return .revision
    }
    guard params.value("screen") != nil else { throw params.missing("screen", "string") }
    let screen = try session.screen(params)
    guard session.core.dismiss(screen.id) else {
      throw RPCError(
        .refused, "cannot dismiss screen \(screen.id): it is the root of its stack",
        data: ["screen": .string(screen.id.description)])
    }
    return .revision
  }

  static let popTo = Method(
    "navigation/popTo", "Closes all that covers a screen.",
    params: [Param(name: "screen", schema: ["type": "string"])],
    errors: [.noSuchScreen, .refused]
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    guard session.core.popTo(screen.id) else {
      throw RPCError(
        .refused, "screen \(screen.id) is on no stack",
        data: ["screen": .string(screen.id.description)])
    }
    return .revision
  }

  static let selectTab = Method(
    "navigation/selectTab", "Selects a tab; every tab keeps its stack.",
    params: [Param(name: "tab", schema: ["type": "string"])],
    errors: [.refused]
  ) { params, session throws(RPCError) in
    let tab = try params.string("tab")
    guard session.core.selectTab(tab) else {
      throw RPCError(
        .refused,
        session.core.navigation.presented.isEmpty
          ? "unknown tab \"\(tab)\""
          : "cannot select the tab \"\(tab)\": a sheet or cover is presented over the tabs",
        data: ["tab": .string(tab)])
    }
    return .revision
  }

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
