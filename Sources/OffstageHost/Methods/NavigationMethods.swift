internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// Navigation that is always available to the user.
extension Method {
  private static let outcomeSchema = NamedSchema(
    "NavigationResult",
    .object([
      "revision": .integer(from: 0),
      "outcome": .string(oneOf: NavigationOutcome.allCases.map(\.rawValue))
        .described("`asked` if the app asks the user first; `none` if there was nothing to do."),
    ]))

  private static func description(
    _ text: String, params: KeyValuePairs<String, JSONSchema> = [:],
    exactlyOneOf choice: [JSON] = [], example: JSONObject
  ) -> Description {
    Description(
      text, params: params, exactlyOneOf: choice, result: outcomeSchema,
      example: (example, ["revision": 7, "outcome": "done"]))
  }

  static let back = Method(
    "navigation/back", "Pops or dismisses what is on top.",
    description(
      "Refused at the root, and by a modal that only its own buttons dismiss.", example: [:]),
    errors: [.refused], keepsResponse: true
  ) { _, session throws(RPCError) in
    guard let outcome = session.core.back() else {
      let navigation = session.core.navigation
      throw RPCError(
        .refused,
        navigation.modals.isEmpty
          ? "nothing to go back to: this is the root"
          : "cannot go back: the modal on top is dismissed only by its own buttons",
        data: ["screen": navigation.visibleScreen.map { .string($0.description) } ?? .null])
    }
    return outcome.result
  }

  static let dismiss = Method(
    "navigation/dismiss", "Closes a presentation or modal, by its id or that of a screen in it.",
    description(
      "On a stack, it pops the screen. Refused if there is nothing to close.",
      params: [
        "screen?": .string.described("The id of a screen."),
        "presentation?": .string.described("The id of a sheet, a cover, or a modal."),
      ],
      exactlyOneOf: ["screen", "presentation"], example: ["presentation": "p1"]),
    errors: [.unknownScreen, .refused], keepsResponse: true
  ) { params, session throws(RPCError) in
    if let presentation = try params.decode("presentation", String.self) {
      if let screen = params.value("screen"), !screen.isNull {
        throw params.wrong("screen", "nothing", screen)
      }
      guard let outcome = session.core.dismiss(presentation: presentation) else {
        throw RPCError(
          .refused,
          "cannot dismiss \"\(presentation)\": it is not presented, or only its own buttons dismiss it",
          data: ["presentation": .string(presentation)])
      }
      return outcome.result
    }
    guard params.value("screen") != nil else {
      throw Params.invalid("", expected: "a member screen or presentation", found: "nothing")
    }
    let screen = try session.screen(params)
    guard let outcome = session.core.dismiss(screen.id) else {
      let isModal = session.core.navigation.modals.contains { $0.screen == screen.id }
      throw RPCError(
        .refused,
        "cannot dismiss screen \(screen.id): "
          + (isModal ? "only its own buttons dismiss it" : "it is the root of its stack"),
        data: ["screen": .string(screen.id.description)])
    }
    return outcome.result
  }

  static let popTo = Method(
    "navigation/popTo", "Closes all that covers a screen.",
    description(
      "Even modals that only their own buttons dismiss. Refused for the screen of a modal.",
      params: ["screen": .string.described("The id of a screen on a stack.")],
      example: ["screen": "1"]),
    errors: [.unknownScreen, .refused], keepsResponse: true
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    guard let outcome = session.core.popTo(screen.id) else {
      throw RPCError(
        .refused, "screen \(screen.id) is on no stack",
        data: ["screen": .string(screen.id.description)])
    }
    return outcome.result
  }

  static let selectTab = Method(
    "navigation/selectTab", "Selects a tab; every tab keeps its stack.",
    description(
      "Refused for an unknown tab, and while a sheet or a cover is presented over the tabs.",
      params: ["tab": .string.described("The id of a tab of the document's navigation.")],
      example: ["tab": "map"]),
    errors: [.refused], keepsResponse: true
  ) { params, session throws(RPCError) in
    let tab = try params.string("tab")
    guard let outcome = session.core.selectTab(tab) else {
      throw RPCError(
        .refused,
        session.core.navigation.hasPresentations
          ? "cannot select the tab \"\(tab)\": a sheet or cover is presented over the tabs"
          : "unknown tab \"\(tab)\"",
        data: ["tab": .string(tab)])
    }
    return outcome.result
  }

  static let open = Method(
    "navigation/open", "Opens a URL of the app, through its tabs and their stacks.",
    description(
      "A screen that is open where the link leads is uncovered. Refused if the URL matches no link, "
        + "or names something that the app does not know.",
      params: ["url": .string.described("A URL that fits one of the `links` of `initialize`.")],
      example: ["url": "todo://items/3"]),
    errors: [.refused, .overloaded], keepsResponse: true
  ) { params, session throws(RPCError) in
    let url = try params.string("url")
    do { return try session.core.open(url).result } catch let error as NavigationError
      where error.isOverload
    {
      throw RPCError(.overloaded, "\(error)")
    } catch {
      throw RPCError(.refused, "\(error)", data: ["url": .string(url)])
    }
  }
}

extension NavigationOutcome {
  fileprivate var result: MethodResult { .revisionWith(["outcome": .string(rawValue)]) }
}
