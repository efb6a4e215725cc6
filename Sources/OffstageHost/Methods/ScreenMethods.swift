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
    guard let input = screen.input(named: name) else {
      throw unknown("input", name, of: screen, screen.inputNames)
    }
    if settle { try session.requests.checkRoom() }
    try session.checkQueue()
    do throws(JSONMismatch) { try input.receive(params.value("value")) } catch {
      throw Params.invalid("/value", error)
    }
    return settle ? .once(.settled(session.core.cause)) : .revision
  }

  @CoreActor
  @inline(never)
  private static func unknown(
    _ noun: String, _ name: JSONView, of screen: ScreenNode, _ known: [String]
  ) -> RPCError {
    RPCError(
      .unknownInput, "screen \"\(screen.kind)\" has no \(noun) \"\(name.string ?? "")\"",
      data: [
        "screen": .string(screen.id.description),
        "inputs": .array(known.sorted().map { .string($0) }),
      ])
  }

  static let check: Method = Method(
    "field/check", "Says that the user has left a field, which then shows what is wrong with it.",
    Description(
      "The `error` of the field becomes the message of the first rule that the value does not meet, "
        + "unless no text of the screen has been changed.",
      params: [
        "screen": .string.described("The id of an open screen, or `app`."),
        "name": .string.described("The name of a field, or the path to a field of a part."),
      ],
      example: (["screen": "1", "name": "nameText"], ["revision": 2])),
    errors: [.unknownScreen, .unknownInput], keepsResponse: true
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    let name = try params.stringView("name")
    guard let field = screen.input(named: name)?.asField else {
      throw unknown("field", name, of: screen, screen.fieldNames)
    }
    if field.node?.hasChangedText == true { _ = field.validate() }
    return .revision
  }

  static let window: Method = Method(
    "list/window", "Says which rows of a list the front end shows.",
    Description(
      "For the outputs with `x-window`. The rows come with a later frame. To try again after a "
        + "`failure`, ask for the same rows.",
      params: [
        "screen": .string.described("The id of an open screen, or `app`."),
        "name": .string.described("The name of the list, or the path to a list of a part."),
        "first": .integer(from: 0).described("The position of the first row, from 0."),
        "count": .integer(from: 1, to: RowWindow.lengths.upperBound)
          .described("The number of rows, with a few around those that are visible."),
      ],
      result: NamedSchema(
        "ListWindowResult",
        .object([
          "revision": .integer(from: 0),
          "first": .integer(from: 0).described(
            "The first row that comes: less than asked for if the list ends before."),
          "count": .integer(from: 0).described("The number of rows that come."),
        ])),
      example: (
        ["screen": "1", "name": "places", "first": 900, "count": 40],
        ["revision": 2, "first": 900, "count": 40]
      )),
    errors: [.unknownScreen, .unknownInput], keepsResponse: true
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    let name = try params.stringView("name")
    let first = try params.int("first", in: RowWindow.positions)
    let count = try params.int("count", in: RowWindow.lengths)
    guard let window = screen.window(named: name) else {
      throw unknown("list with a window", name, of: screen, screen.windowNames)
    }
    let range = window.show(first: first, count: count)
    return .revisionWith(["first": .int(range.lowerBound), "count": .int(range.count)])
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
