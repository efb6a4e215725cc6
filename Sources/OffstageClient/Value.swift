internal import OffstageJSON

/// A JSON value of the document or of a message.
///
/// A missing member is null, so that a path can be followed without unwrapping:
/// ```swift
/// let title = screen["places"][0]["title"].string ?? ""
/// ```
public struct Value: Hashable, Sendable {
  let json: JSON

  init(_ json: JSON) { self.json = json }

  /// Creates a string.
  public init(_ string: String) { json = .string(string) }

  /// Creates an integer.
  public init(_ int: Int) { json = .int(int) }

  /// Creates an array.
  public init(_ elements: [Value]) { json = .array(elements.map(\.json)) }

  /// Creates an object.
  public init(members: [(name: String, value: Value)]) {
    json = .object(JSONObject(members.map { (key: $0.name, value: $0.value.json) }))
  }

  /// The null value.
  public static let null = Value(.null)

  /// Encodes a value. A member that is nil is encoded as null, as in the values of a core.
  /// - Throws: `EncodingError` for a number that is not finite, and any error that the value
  ///   throws.
  public init(encoding value: some Encodable) throws {
    if let value = value as? Value {
      self = value
      return
    }
    var writer = JSONWriter()
    try writer.encode(value)
    json = JSON(encoded: Array(writer.bytes))
  }

  /// Decodes the value.
  /// - Throws: ``ValueMismatch`` if the value does not fit the type.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws(ValueMismatch) -> T {
    if let value = self as? T { return value }
    do { return try json.decode(type) } catch { throw ValueMismatch(description: "\(error)") }
  }

  /// True for null and for a missing member.
  public var isNull: Bool { json.isNull }

  /// The Boolean. Like the other accessors, nil for a value of another kind.
  public var bool: Bool? { json.bool }

  /// The exact integer within ±2^53.
  public var int: Int? { json.int }

  /// The nearest double.
  public var double: Double? { json.double }

  /// The string.
  public var string: String? { json.string }

  /// The elements.
  public var array: [Value]? { json.array?.map { Value($0) } }

  /// The members of an object, in order.
  public var members: [(name: String, value: Value)]? {
    json.object?.members.map { (name: $0.key, value: Value($0.value)) }
  }

  /// A member of an object; null if there is none.
  public subscript(name: String) -> Value { Value(json[name] ?? .null) }

  /// An element of an array; null past its end.
  public subscript(position: Int) -> Value { Value(json[position] ?? .null) }
}

extension Value: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { json.description }
}

/// The error for a value that does not fit the requested type, as after an update of the core.
public struct ValueMismatch: Error, CustomStringConvertible, Sendable {
  /// The difference, for developers.
  public let description: String
}

/// A `Value` in a type of your own keeps any JSON.
extension Value: Codable {
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: JSONKey.self) {
      let values = try members.allKeys.map {
        (key: $0.stringValue, value: try members.decode(Value.self, forKey: $0).json)
      }
      json = .object(JSONObject(values))
    } else if let elements = try? [Value](from: decoder) {
      json = .array(elements.map(\.json))
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        json = .null
      } else if let bool = try? value.decode(Bool.self) {
        json = .bool(bool)
      } else if let int = try? value.decode(Int.self) {
        json = .int(int)
      } else if let double = try? value.decode(Double.self) {
        json = .number(JSONNumber(double))
      } else {
        json = .string(try value.decode(String.self))
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch json {
    case .object(let object):
      var members = encoder.container(keyedBy: JSONKey.self)
      for (name, value) in object.members {
        try members.encode(Value(value), forKey: JSONKey.name(name))
      }
    case .array(let elements): try elements.map { Value($0) }.encode(to: encoder)
    case .null: try String?.none.encode(to: encoder)
    case .bool(let bool): try bool.encode(to: encoder)
    case .number: if let int { try int.encode(to: encoder) } else { try double.encode(to: encoder) }
    case .string(let string): try string.encode(to: encoder)
    }
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { json = .null }
  public init(booleanLiteral value: Bool) { json = .bool(value) }
  public init(integerLiteral value: Int) { json = .int(value) }
  public init(floatLiteral value: Double) { json = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { json = .string(value) }
  public init(arrayLiteral elements: Value...) { self.init(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(members: elements.map { (name: $0.0, value: $0.1) })
  }
}
