/// The form in which the keys of a dictionary become the names of an object's members.
///
/// The standard library writes a dictionary as an array of keys and values unless its keys are
/// strings, integers, or `CodingKeyRepresentable`. Here, other keys with a text become names, too.
package enum KeyForm {
  case string
  case codingKey
  case foundation
  case rawValue
  case description

  /// Finds the form of a key type; nil for keys without a text: objects, arrays, and enums without
  /// raw values.
  package init?(_ key: Any.Type) {
    func isText<Key: RawRepresentable>(_ key: Key.Type) -> Bool {
      Key.RawValue.self is any LosslessStringConvertible.Type
    }
    if key == String.self {
      self = .string
    } else if key is any CodingKeyRepresentable.Type {
      self = .codingKey
    } else if FoundationType(key) != nil {
      self = .foundation
    } else if let key = key as? any RawRepresentable.Type, isText(key) {
      self = .rawValue
    } else if key is any LosslessStringConvertible.Type {
      self = .description
    } else {
      return nil
    }
  }

  /// Returns the name of a key.
  /// - Parameter path: The path to the dictionary, for the error.
  /// - Throws: `EncodingError` for a Foundation value without a JSON form.
  func name(of key: some Encodable, _ path: [any CodingKey]) throws -> String {
    switch self {
    case .string: return key as! String
    case .codingKey: return (key as! any CodingKeyRepresentable).codingKey.stringValue
    case .rawValue: return "\((key as! any RawRepresentable).rawValue)"
    case .description: return (key as! any LosslessStringConvertible).description
    case .foundation:
      guard let name = JSON(encoding: key).string else {
        throw EncodingError.invalidValue(
          key, .init(codingPath: path, debugDescription: "\(key) cannot be written as a name."))
      }
      return name
    }
  }

  /// Returns the key with a name; nil if there is none, or if the standard library reads the keys.
  func key<Key: Decodable>(_ name: String, as type: Key.Type) -> Key? {
    func raw<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
      let value = (Raw.RawValue.self as? any LosslessStringConvertible.Type)?.init(name)
      return value.flatMap { Raw(rawValue: $0 as! Raw.RawValue) }
    }
    switch self {
    case .string: return name as? Key
    case .codingKey: return nil
    case .rawValue: return (type as? any RawRepresentable.Type).flatMap { raw($0) } as? Key
    case .description: return (type as? any LosslessStringConvertible.Type)?.init(name) as? Key
    case .foundation: return try? JSON.string(name).decode(type)
    }
  }
}
