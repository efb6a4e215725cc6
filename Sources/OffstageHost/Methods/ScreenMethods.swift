internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The methods that act on a screen, on behalf of a user or a device.
extension Method {
  static let input: Method = Method(
    "input", "Sends a value to an input of a screen.",
    Description(
      "The frame that it causes comes before the response. `x-screens` has the inputs of each screen.",
      params: [
        "screen": .string.described("The id of an open screen, or `app`."),
        "name": .string.described("The name of an input, or the path to an input of a part."),
        "value?": .any.described("As the schema of the input says; null if it is missing."),
        "settle?": .boolean
          .described("True to get the response once the core has settled, as for `state/settle`."),
      ],
      example: (["screen": "1", "name": "nameText", "value": "Kim"], ["revision": 2])),
    errors: [.unknownScreen, .unknownInput, .requestCanceled, .overloaded], keepsResponse: true
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    let name = try params.stringView("name")
    let settle = try params.decode("settle", Bool.self) ?? false
    guard let input = screen.input(named: name) else { throw unknownInput(name, of: screen) }
    if settle { try session.requests.checkRoom() }
    try session.checkQueue()
    do throws(JSONMismatch) { try input.receive(params.value("value")) } catch {
      throw Params.invalid("/value", error)
    }
    return settle ? .once(.settled(session.core.cause)) : .revision
  }

  @CoreActor
  @inline(never)
  private static func unknownInput(_ name: JSONView, of screen: ScreenNode) -> RPCError {
    RPCError(
      .unknownInput, "screen \"\(screen.kind)\" has no input \"\(name.string ?? "")\"",
      data: [
        "screen": .string(screen.id.description),
        "inputs": .array(screen.inputNames.sorted().map { .string($0) }),
      ])
  }

  static let answer = Method(
    "answer", "Answers a prompt with a value or an error, or reports that the user dismissed it.",
    Description(
      "`x-prompts` has the schema of the answer to each kind.",
      params: [
        "prompt": .string.described("The id of a prompt of the document."),
        "value?": .any.described("The answer."),
        "error?": "PromptFailure",
        "dismissed?": .const(true).described("The user has closed the prompt."),
      ],
      exactlyOneOf: ["value", "error", "dismissed"],
      example: (["prompt": "q1", "value": ["button": "ok", "fields": [:]]], ["revision": 3])),
    errors: [.unknownPrompt], keepsResponse: true
  ) { params, session throws(RPCError) in
    let id = try params.string("prompt")
    guard try answer(id, params, session.core) else {
      throw RPCError(
        .unknownPrompt, "unknown or answered prompt \"\(id)\"", data: ["prompt": .string(id)])
    }
    return .revision
  }

  /// - Returns: False for an unknown prompt.
  @CoreActor
  private static func answer(
    _ id: String, _ params: Params, _ core: Core
  ) throws(RPCError) -> Bool {
    let failure = try params.decode("error", Failure.self)
    let isDismissed = try params.decode("dismissed", Bool.self) == true
    let value = params.value("value")
    if value != nil || isDismissed, failure != nil, let error = params.value("error") {
      throw params.wrong("error", "nothing", error)
    }
    if isDismissed, let value { throw params.wrong("value", "nothing", value) }
    if let failure { return core.refuse(id, .refused(message: failure.message)) }
    if isDismissed { return core.refuse(id, .dismissed) }
    guard let value else { throw params.missing("value", "value") }
    do throws(JSONMismatch) { return try core.answer(id, value) } catch {
      throw Params.invalid("/value", error)
    }
  }

  private struct Failure: Decodable {
    let message: String
  }
}

extension Session {
  func screen(_ params: Params) throws(RPCError) -> ScreenNode {
    let value = try params.stringView("screen")
    if let id = ScreenID(value), let screen = core.screen(id) { return screen }
    throw unknownScreen(value.string ?? "")
  }

  @inline(never)
  private func unknownScreen(_ text: String) -> RPCError {
    RPCError(
      .unknownScreen, "unknown screen \"\(text)\"; it may have closed",
      data: ["screen": .string(text)])
  }
}
