/// A tree can be a member of any `Codable` type; ours are read and written without these.
extension JSON: Codable {
  /// Reads a tree from any format's decoder.
  /// - Throws: `DecodingError` where there is nothing that JSON could hold.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(Double.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let elements = try? container.decode([JSON].self) {
      self = .array(elements)
    } else {
      let members = try container.decode([String: JSON].self)
      self = .object(JSONObject(members.map { ($0.key, $0.value) }))
    }
  }

  /// Writes the tree to any format's encoder.
  /// - Throws: whatever the encoder throws.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let int = value.int {
        try container.encode(int)
      } else {
        try container.encode(value.double)
      }
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let object):
      let members = object.members.map { ($0.key, $0.value) }
      try container.encode(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }
  }
}
