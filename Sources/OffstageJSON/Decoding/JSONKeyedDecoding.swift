/// The members of an object.
struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let view: JSONView
  /// Where the search for a member begins in a large object, so that asking for all of its members
  /// in their order, as a dictionary does, costs no square of their number.
  private let cursor: Cursor?

  private final class Cursor {
    var key: UInt32
    init(_ key: UInt32) { self.key = key }
  }

  /// - Throws: `DecodingError` for anything but an object.
  init(_ view: JSONView) throws {
    guard view.kind == .object else {
      throw view.mismatch([String: JSON].self, expected: "object")
    }
    self.view = view
    cursor = view.count > 16 ? Cursor(view.index + 1) : nil
  }

  var codingPath: [any CodingKey] { view.path }

  var allKeys: [Key] { view.members.compactMap { Key(stringValue: $0.key.string!) } }

  func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key, Never?.self).isNull }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try member(key, type).value(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let member = find(key.stringValue), !member.isNull else { return nil }
    return try member.value(type)
  }

  /// A scalar member, read at once.
  func read<T: JSONReadable>(_ key: Key) throws -> T { try .read(member(key, T.self)) }

  func readIfPresent<T: JSONReadable>(_ key: Key) throws -> T? {
    guard let member = find(key.stringValue), !member.isNull else { return nil }
    return try .read(member)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try JSONValueDecoder(view: member(key, [String: JSON].self)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try JSONUnkeyedDecoding(member(key, [JSON].self))
  }

  func superDecoder() throws -> any Decoder { try decoder(of: JSONKey.name("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(of: key) }

  private func decoder(of key: some CodingKey) throws -> any Decoder {
    guard let member = find(key.stringValue) else { throw view.missing(key, JSON.self) }
    return JSONValueDecoder(view: member)
  }

  private func member(_ key: Key, _ type: Any.Type) throws -> JSONView {
    guard let member = find(key.stringValue) else { throw view.missing(key, type) }
    return member
  }

  private func find(_ name: String) -> JSONView? {
    guard let cursor else { return view[name] }
    let tokens = view.text.tape.tokens
    return name.withBytes { name in
      for _ in 0..<view.count {
        let key = cursor.key
        let next = tokens[Int(key + 1)].next
        cursor.key = next < view.token.next ? next : view.index + 1
        if view.text.equals(tokens[Int(key)], name) { return view.at(key + 1) }
      }
      return nil
    }
  }
}

// The scalars one by one, since the protocol's own ways look a member up three times.
extension JSONKeyedDecoding {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try readIfPresent(key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try readIfPresent(key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try readIfPresent(key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try readIfPresent(key)
  }
}
