/// The six kinds of JSON value (RFC 8259, section 3).
package enum JSONKind: Hashable, Sendable {
  case null, bool, number, string, array, object

  /// How errors call it, in the words of JSON Schema.
  package var name: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
