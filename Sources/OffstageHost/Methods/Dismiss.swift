internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// The person swiped a screen away, or pressed its close button.
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
          "Nothing to dismiss: there is no presentation or modal \"\(presentation)\", or only its "
            + "own buttons dismiss it.",
          data: ["presentation": .string(presentation)])
      }
      return .revision
    }
    guard params.value("screen") != nil else { throw params.missing("screen", "string") }
    let screen = try session.screen(params)
    guard session.core.dismiss(screen.id) else {
      throw RPCError(
        .refused, "Screen \(screen.id) is the root of its stack and cannot be dismissed.",
        data: ["screen": .string(screen.id.description)])
    }
    return .revision
  }
}
