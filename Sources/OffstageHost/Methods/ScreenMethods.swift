internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The methods that act on a screen, on behalf of a user or a device.
extension Method {
  static let input = Method(
    "input", "Sends a value to an input of a screen.",
    params: ["screen": .string, "name": .string, "value?": .any, "settle?": .boolean],
    errors: [.noSuchScreen, .noSuchInput, .canceled, .overloaded], keepsResponse: true
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
    return settle ? .once(.finished(session.core.cause)) : .revision
  }

  @CoreActor
  @inline(never)
  private static func unknownInput(_ name: JSONView, of screen: ScreenNode) -> RPCError {
    RPCError(
      .noSuchInput, "screen \"\(screen.kind)\" has no input \"\(name.string ?? "")\"",
      data: [
        "screen": .string(screen.id.description),
        "inputs": .array(screen.inputNames.sorted().map { .string($0) }),
      ])
  }

  static let answer = Method(
    "answer", "Answers a prompt with a value or an error, or reports that the user dismissed it.",
    params: [
      "prompt": .string, "value?": .any, "error?": .object(["message": .string]),
      "dismissed?": .const(true),
    ],
    errors: [.noSuchPrompt], keepsResponse: true
  ) { params, session throws(RPCError) in
    let id = try params.string("prompt")
    guard try answer(id, params, session.core) else {
      throw RPCError(
        .noSuchPrompt, "unknown or answered prompt \"\(id)\"", data: ["prompt": .string(id)])
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
      .noSuchScreen, "unknown screen \"\(text)\"; it may have closed",
      data: ["screen": .string(text)])
  }
}
