internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// A prompt has its answer.
  static let answer = Method(
    "answer", "Answers a prompt with a value, an error, or by having dismissed it.",
    params: [
      Param(name: "prompt", schema: ["type": "string"]),
      Param(name: "value", schema: [:], isRequired: false),
      Param(
        name: "error",
        schema: [
          "type": "object", "properties": ["message": ["type": "string"]],
          "required": ["message"],
        ], isRequired: false),
      Param(name: "dismissed", schema: ["const": true], isRequired: false),
    ],
    errors: [.noSuchPrompt]
  ) { params, session throws(RPCError) in
    let id = try params.string("prompt")
    guard try give(id, params, session.core) else {
      throw RPCError(
        .noSuchPrompt, "There is no prompt \"\(id)\", or it is answered already.",
        data: ["prompt": .string(id)])
    }
    return .revision
  }

  /// - Returns: false where there is no such prompt.
  @CoreActor
  private static func give(_ id: String, _ params: Params, _ core: Core) throws(RPCError) -> Bool {
    let refusal = try params.decode("error", Refusal.self)
    let isDismissed = try params.optionalBool("dismissed") == true
    let value = params.value("value")
    guard [refusal != nil, isDismissed, value != nil].count(where: \.self) < 2 else {
      throw Params.invalid(
        "", expected: "one of value, error and dismissed", found: "more than one")
    }
    if let refusal {
      return core.refuse(id, .refused(message: refusal.message))
    }
    if isDismissed { return core.refuse(id, .dismissed) }
    guard let value else {
      throw params.missing("value", "value, error or dismissed")
    }
    do throws(JSONMismatch) { return try core.answer(id, value) } catch {
      throw Params.invalid(
        "/value" + error.path, expected: error.expected, found: error.found)
    }
  }

  private struct Refusal: Decodable {
    let message: String
  }
}
