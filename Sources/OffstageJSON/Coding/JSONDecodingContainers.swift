/// The `Decoder` of one value. It has no state but the view; paths are computed on demand.
struct JSONValueDecoder: Decoder {
  let view: JSONView
  /// Retained because an author may keep a decoder, and a view does not retain its text.
  private let text: JSONText

  init(view: JSONView) {
    self.view = view
    text = view.text
  }

  var codingPath: [any CodingKey] { view.path }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try JSONKeyedDecoding(view))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try JSONUnkeyedDecoding(view) }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    JSONSingleValueDecoding(view: view)
  }
}

// In each container, one generic `decode` satisfies the requirements for every scalar type.

private struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let view: JSONView
  /// The start of the next search in a large object, so that reading all members in order, as a
  /// dictionary does, is not quadratic.
  private let cursor: Cursor?

  private final class Cursor {
    var key: UInt32
    init(_ key: UInt32) { self.key = key }
  }

  init(_ view: JSONView) throws {
    guard view.kind == .object else {
      throw view.mismatch([String: Never].self, expected: "object")
    }
    self.view = view
    cursor = view.count > 16 ? Cursor(view.index + 1) : nil
  }

  var codingPath: [any CodingKey] { view.path }

  var allKeys: [Key] { view.members.compactMap { Key(stringValue: $0.key.string!) } }

  func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key, Never?.self).isNull }

  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try member(key, type).value(type)
  }

  // The protocol's defaults look a member up three times.
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try present(key)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try JSONValueDecoder(view: member(key, [String: Never].self)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try JSONUnkeyedDecoding(member(key, [Never].self))
  }

  func superDecoder() throws -> any Decoder { try decoder(of: JSONKey.name("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(of: key) }

  private func decoder(of key: some CodingKey) throws -> any Decoder {
    JSONValueDecoder(view: try member(key, JSON.self))
  }

  @inline(__always)
  private func present<T: Decodable>(_ key: Key) throws -> T? {
    guard let member = find(key.stringValue), !member.isNull else { return nil }
    return try member.value(T.self)
  }

  private func member(_ key: some CodingKey, _ type: Any.Type) throws -> JSONView {
    guard let member = find(key.stringValue) else { throw view.missing(key, type) }
    return member
  }

  private func find(_ name: String) -> JSONView? {
    guard let cursor else { return view[name] }
    return name.withBytes { name in
      for _ in 0..<view.count {
        let key = view.at(cursor.key)
        let value = view.at(cursor.key + 1)
        let next = value.token.next
        cursor.key = next < view.token.next ? next : view.index + 1
        if view.text.equals(key.token, name) { return value }
      }
      return nil
    }
  }
}

private struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
  private let view: JSONView
  private var elements: JSONView.Elements
  private var upcoming: JSONView?
  private(set) var currentIndex = 0

  init(_ view: JSONView) throws {
    guard view.kind == .array else { throw view.mismatch([Never].self, expected: "array") }
    self.view = view
    elements = view.elements
    upcoming = elements.next()
  }

  var codingPath: [any CodingKey] { view.path }

  var count: Int? { view.count }

  var isAtEnd: Bool { upcoming == nil }

  /// Skips a null, and nothing else.
  mutating func decodeNil() throws -> Bool {
    guard let upcoming else { throw view.missing(JSONKey.position(currentIndex), Never?.self) }
    if upcoming.isNull { advance() }
    return upcoming.isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(type) { try $0.value(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next([String: Never].self) { try JSONValueDecoder(view: $0).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Never].self) { try JSONUnkeyedDecoding($0) }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next(JSON.self) { JSONValueDecoder(view: $0) }
  }

  /// Reads an element and advances. If it fails, the element can be read again as another type.
  @inline(__always)
  private mutating func next<Value>(
    _ type: Any.Type, _ read: (JSONView) throws -> Value
  ) throws -> Value {
    guard let upcoming else { throw view.missing(JSONKey.position(currentIndex), type) }
    let value = try read(upcoming)
    advance()
    return value
  }

  private mutating func advance() {
    upcoming = elements.next()
    currentIndex += 1
  }
}

private struct JSONSingleValueDecoding: SingleValueDecodingContainer {
  let view: JSONView

  var codingPath: [any CodingKey] { view.path }

  func decodeNil() -> Bool { view.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try view.value(type) }
}
