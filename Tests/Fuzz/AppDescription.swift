import OffstageJSON
import TestSupport

/// The inputs and prompts of an app, from `rpc.discover`, and random values for them.
struct AppDescription {
  struct Input {
    let name: String
    let schema: JSON
  }

  /// The inputs of each kind of screen. Taps on rows occur twice, because they open more screens.
  let inputs: [String: [Input]]
  /// The kinds of prompts that the app may show.
  let prompts: [String]
  private let description: JSON

  /// Reads the description of a running core.
  init(_ session: CoreSession) throws {
    var outcome = CoreSession.Outcome()
    guard let description = try session.result(of: "rpc.discover", [:], &outcome)["result"] else {
      throw Failure("rpc.discover has no result")
    }
    self.description = description
    inputs = Dictionary(
      uniqueKeysWithValues: (description["x-screens"]?.members ?? []).map { kind, screen in
        let inputs = screen["inputs"]?.members.map { Input(name: $0.key, schema: $0.value) } ?? []
        return (kind, inputs + inputs.filter { $0.schema["x-rows"] != nil })
      })
    prompts = description["x-prompts"]?.members.map(\.key) ?? []
  }

  /// Returns a random value: for a row if the screen has one, or else any value that fits the
  /// schema.
  func value(
    of input: Input, _ kind: String, _ output: JSON, _ random: inout SplitMix64
  ) -> JSON {
    if kind == "map", input.name == "boundsChanged" {
      return Self.bounds.randomElement(using: &random)!
    }
    // The row may have been removed just before the tap.
    let isUnknown = Int.random(in: 0..<10, using: &random) == 0
    let rows = (input.schema["x-rows"]?.array ?? []).flatMap { Self.rows($0, output) }
    if !isUnknown, let row = rows.randomElement(using: &random) { return row }
    return guess(input.schema, &random)
  }

  func answer(to kind: String, _ random: inout SplitMix64) -> JSON {
    guess(description["x-prompts"]?[kind]?["answer"] ?? .null, &random)
  }

  /// Bounds with many places, with more places, and with none.
  private static let bounds: [JSON] = [
    ["minLat": 37.5, "minLng": 126.9, "maxLat": 37.6, "maxLng": 127.1],
    ["minLat": 37.4, "minLng": 126.5, "maxLat": 37.7, "maxLng": 127.5],
    ["minLat": 0, "minLng": 0, "maxLat": 0.1, "maxLng": 0.1],
  ]

  private static let texts: [JSON] = [
    "", " ", "a", "Kim", "park", "한", "   Zoe ", .string(String(repeating: "x", count: 99)),
  ]

  /// Returns an input's values for the rows in an entry of its `x-rows`.
  private static func rows(_ entry: JSON, _ output: JSON) -> [JSON] {
    guard let list = entry["list"]?.string else { return [] }
    return elements(at: list.split(separator: "/")[...], in: output).map { positions in
      if let member = entry["member"]?.string {
        return value(at: "\(list)/*/\(member)", positions, in: output)
      }
      let members = entry["members"]?.members ?? []
      return .object(
        JSONObject(
          members.map { ($0.key, value(at: $0.value.string ?? "", positions, in: output)) }))
    }
  }

  /// Returns the positions of each element: its index in the list and in each enclosing list.
  private static func elements(at path: ArraySlice<Substring>, in value: JSON) -> [[Int]] {
    guard let first = path.first else { return value.array?.indices.map { [$0] } ?? [] }
    guard first == "*" else {
      return value[String(first)].map { elements(at: path.dropFirst(), in: $0) } ?? []
    }
    return (value.array ?? []).enumerated().flatMap { position, element in
      elements(at: path.dropFirst(), in: element).map { [position] + $0 }
    }
  }

  /// Returns the value at a path after replacing each `*` with a position.
  private static func value(at path: String, _ positions: [Int], in output: JSON) -> JSON {
    var positions = positions[...]
    return path.split(separator: "/").reduce(output) { value, name in
      let next = name == "*" ? positions.popFirst().flatMap { value[$0] } : value[String(name)]
      return next ?? .null
    }
  }

  /// Returns a random value of a schema.
  private func guess(_ schema: JSON, _ random: inout SplitMix64) -> JSON {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return guess(description["components"]?["schemas"]?[String(name)] ?? .null, &random)
    }
    if let choices = schema["enum"]?.array { return choices.randomElement(using: &random)! }
    if let choices = (schema["anyOf"] ?? schema["oneOf"])?.array {
      return guess(choices.randomElement(using: &random)!, &random)
    }
    let type =
      schema["type"]?.string ?? schema["type"]?.array?.randomElement(using: &random)?.string
    switch type {
    case "string": return Self.texts.randomElement(using: &random)!
    case "boolean": return .bool(Bool.random(using: &random))
    case "integer": return .number(JSONNumber(Int.random(in: -1...200, using: &random)))
    case "number":
      let range = (schema["minimum"]?.double ?? 0)...(schema["maximum"]?.double ?? 1)
      return .number(JSONNumber(Double.random(in: range, using: &random)))
    case "object":
      return .object(
        JSONObject(
          (schema["properties"]?.members ?? []).map { ($0.key, guess($0.value, &random)) }))
    default: return .null
    }
  }
}
