/// A JSON value as a tree, for code where convenience matters more than speed: schemas,
/// transcripts, tests, and the difference between two values.
///
/// Strings and names are compared byte for byte, numbers by value, objects without order.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  package init(parsing text: String, depth: Int = 512) throws(JSONError) {
    self = try JSONText(text, depth: depth).withRoot(\.json)
  }

  package var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

// Each of these is nil for a value of another kind.
extension JSON {
  package var isNull: Bool { kind == .null }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer within ±2^53.
  package var int: Int? {
    if case .number(let value) = self { value.int } else { nil }
  }

  /// The nearest double; always finite.
  package var double: Double? {
    if case .number(let value) = self { value.double } else { nil }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value of a member, or nil if the member is missing. Setting it has no effect on a value
  /// other than an object.
  package subscript(key: String) -> JSON? {
    get { object?[key] }
    set {
      guard case .object(var members) = self else { return }
      // Keep a single owner, so that the members are not copied.
      self = .null
      members[key] = newValue
      self = .object(members)
    }
  }

  /// An element, or nil past either end.
  package subscript(position: Int) -> JSON? {
    guard let array, array.indices.contains(position) else { return nil }
    return array[position]
  }
}

extension JSON: Hashable {
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ByteString(value))
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSON: CustomStringConvertible {
  package var description: String {
    var writer = JSONWriter()
    writer.json(self)
    return String(writer.bytes)
  }
}

extension JSONView {
  /// The value as a tree. If a name repeats, the first member wins.
  package var json: JSON {
    switch token.kind {
    case .null: .null
    case .false: .bool(false)
    case .true: .bool(true)
    case .number: .number(JSONNumber(token: withBytes { String(decoding: $0, as: UTF8.self) }))
    case .string: .string(text.string(token))
    case .array: .array(elements.map(\.json))
    case .object:
      .object(JSONObject(members.lazy.map { (text.string($0.key.token), $0.value.json) }))
    }
  }
}

// `["id": 7, "tags": ["a", .null]]` is a JSON tree.

extension JSON {
  package static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  package init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}
