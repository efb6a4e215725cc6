internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  /// Something happened on a screen.
  static let input = Method(
    "input", "Sends a value to an input of a screen.",
    params: [
      Param(name: "screen", schema: ["type": "string"]),
      Param(name: "name", schema: ["type": "string"]),
      Param(name: "value", schema: [:], isRequired: false),
      Param(name: "settle", schema: ["type": "boolean"], isRequired: false),
    ],
    errors: [.noSuchScreen, .noSuchInput, .cancelled, .overloaded]
  ) { params, session throws(RPCError) in
    let screen = try session.screen(params)
    let name = try params.value("name", .string)
    let settle = try params.optionalBool("settle") ?? false
    guard let input = screen.input(named: name) else {
      throw RPCError(
        .noSuchInput, "The screen \"\(screen.kind)\" has no input \"\(name.string ?? "")\".",
        data: [
          "screen": .string(screen.id.description),
          "inputs": .array(screen.inputs.map(\.name).sorted().map { .string($0) }),
        ])
    }
    if settle { try session.checkRoom() }
    do throws(JSONMismatch) { try input.receive(params.value("value")) } catch {
      throw Params.invalid(
        "/value" + error.path, expected: error.expected, found: error.found)
    }
    return settle ? .once(.finished) : .revision
  }
}
