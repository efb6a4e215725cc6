import Offstage
import OffstageJSON

/// Generates Swift types from the JSON Schemas of a description.
struct SwiftTypes {
  /// The declarations so far, in the order in which they were needed.
  private(set) var declarations: [String] = []
  private let schemas: JSON
  /// The names of the declared types, by the name of their schema.
  private var names: [String: String] = [:]
  private var taken: Set<String>

  /// - Parameter schemas: The named schemas of the description.
  init(_ schemas: JSON, taken: Set<String>) {
    self.schemas = schemas
    self.taken = taken.union(Self.used)
  }

  /// The names that the generated code uses but does not declare, and those of OffstageClient.
  private static let used: Set = [
    "AppDescription", "AsyncStream", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys",
    "CoreEnded", "Decoder", "DecodingError", "DescriptorTransport", "Double", "Encoder", "Frame",
    "Handshake", "Hashable", "Identifiable", "Int", "Key", "LineTransport", "MainActor", "Options",
    "Output", "PortDescription", "ProcessTransport", "PromptDismissed", "Refusal", "RemoteCore",
    "RemoteDocument", "RemoteField", "RemoteNavigation", "RemotePrompt", "RemoteScreen",
    "ScreenDescription", "ScreenEvent", "Sendable", "String", "Transport", "TypedField",
    "TypedInput", "TypedScreen", "TypedTrigger", "Value", "ValueMismatch", "Void",
  ]

  /// Returns the type of a schema, and declares the types that it needs.
  /// - Parameter name: The name for the type if it needs one and the schema has none.
  mutating func type(of schema: JSON, named name: String) -> String {
    if let reference = schema["$ref"]?.string {
      return namedType(String(reference.split(separator: "/").last ?? ""))
    }
    if let union = schema["anyOf"]?.array {
      let kinds = union.filter { $0["type"] != "null" }
      guard kinds.count == 1 else { return "Value" }
      return optional(type(of: kinds[0], named: name), if: kinds.count < union.count)
    }
    let kinds = schema["type"]?.array ?? schema["type"].map { [$0] } ?? []
    let isOptional = kinds.contains("null")
    guard let kind = kinds.first(where: { $0 != "null" })?.string,
      kinds.count == (isOptional ? 2 : 1)
    else { return "Value" }
    return optional(simpleType(kind, schema, name), if: isOptional)
  }

  /// Returns the declaration of a struct with a member for each property.
  mutating func structure(
    named name: String, _ properties: JSONObject, required: Set<String>?, prefix: String,
    isNested: Bool = false
  ) -> String {
    var members: [String] = []
    let names = properties.members.map(\.key).identifiers
    for ((key, schema), name) in zip(properties.members, names) {
      var type = type(of: schema, named: prefix + key.pascalCased)
      if let required, !required.contains(key) { type = optional(type, if: true) }
      let title = isNested ? schema["title"]?.string.map { "  /// \($0.oneLine)\n" } ?? "" : ""
      members.append("\(title)  var \(name.escaped): \(type)\n")
    }
    let hasID = ["String", "Int"].contains { members.contains("  var id: \($0)\n") }
    let cases = Self.cases(properties.members.map(\.key)).joined(separator: ", ")
    let codingKeys =
      names == properties.members.map(\.key)
      ? "" : "\n  enum CodingKeys: String, CodingKey {\n    case \(cases)\n  }\n"
    return
      "struct \(name): Codable, Hashable, \(hasID && !isNested ? "Identifiable, " : "")Sendable {\n"
      + members.joined() + codingKeys + "}\n"
  }

  private mutating func simpleType(_ kind: String, _ schema: JSON, _ name: String) -> String {
    switch kind {
    case "boolean": return "Bool"
    case "integer": return "Int"
    case "number": return "Double"
    case "string":
      guard let cases = schema["enum"]?.array?.compactMap(\.string), !cases.isEmpty else {
        return "String"
      }
      return enumeration(name, cases)
    case "array": return "[\(type(of: schema["items"] ?? [:], named: name + "Item"))]"
    case "object":
      if let properties = schema["properties"]?.object {
        let own = taken.add(name)
        let required = Set(schema["required"]?.array?.compactMap(\.string) ?? [])
        declarations.append(
          structure(named: own, properties, required: required, prefix: own))
        return own
      }
      guard let values = schema["additionalProperties"], values.object != nil else {
        return "[String: Value]"
      }
      return "[String: \(type(of: values, named: name + "Value"))]"
    default: return "Value"
    }
  }

  private mutating func namedType(_ key: String) -> String {
    if let name = names[key] { return name }
    let schema = schemas[key] ?? [:]
    let isDeclared =
      schema["discriminator"]?["mapping"] != nil || schema["properties"] != nil
      || schema["enum"] != nil && schema["type"] == "string"
    guard isDeclared else { return type(of: schema, named: key.pascalCased) }
    let name = taken.add(key.pascalCased)
    names[key] = name
    // Free the name for the declaration below. `names` already has it, so a type may contain
    // itself.
    taken.remove(name)
    if let mapping = schema["discriminator"]?["mapping"]?.object {
      taken.insert(name)
      let member = schema["discriminator"]?["propertyName"]?.string ?? "type"
      declarations.append(union(name, member, mapping))
      return name
    }
    let type = type(of: schema, named: name)
    names[key] = type
    return type
  }

  private mutating func enumeration(_ name: String, _ cases: [String]) -> String {
    let name = taken.add(name)
    declarations.append(
      "enum \(name): String, CaseIterable, Codable, Sendable {\n"
        + Self.cases(cases).map { "  case \($0)\n" }.joined() + "}\n")
    return name
  }

  private static func cases(_ values: [String]) -> [String] {
    zip(values, values.identifiers).map { value, name in
      value == name ? name.escaped : "\(name.escaped) = \(value.quoted)"
    }
  }

  private mutating func union(_ name: String, _ member: String, _ mapping: JSONObject) -> String {
    let values = mapping.members.map(\.key)
    let cases = zip(mapping.members, values.identifiers).map { member, own in
      (
        value: member.key, name: own.escaped,
        type: type(of: ["$ref": member.value], named: name + member.key.pascalCased)
      )
    }
    func lines(_ line: ((value: String, name: String, type: String)) -> String) -> String {
      cases.map(line).joined()
    }
    return """
      enum \(name): Codable, Hashable, Sendable {
      \(lines { "  case \($0.name)(\($0.type))\n" })
        private enum Key: String, CodingKey { case kind = \(member.quoted) }

        init(from decoder: any Decoder) throws {
          let container = try decoder.container(keyedBy: Key.self)
          switch try container.decode(String.self, forKey: .kind) {
      \(lines { "    case \($0.value.quoted): self = .\($0.name)(try \($0.type)(from: decoder))\n" })    case let other:
            throw DecodingError.dataCorruptedError(
              forKey: .kind, in: container, debugDescription: "unknown \(member) \\(other)")
          }
        }

        func encode(to encoder: any Encoder) throws {
          switch self {
      \(lines { "    case .\($0.name)(let value): try value.encode(to: encoder)\n" })    }
        }
      }

      """
  }

  private func optional(_ type: String, if isOptional: Bool) -> String {
    isOptional && !type.hasSuffix("?") && type != "Value" ? type + "?" : type
  }
}
