/// The elements of an array, one after the other.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
  private let view: JSONView
  private var elements: JSONView.Elements
  /// The element that is read next.
  private var upcoming: JSONView?
  private(set) var currentIndex = 0

  /// - Throws: `DecodingError` for anything but an array.
  init(_ view: JSONView) throws {
    guard view.kind == .array else { throw view.mismatch([JSON].self, expected: "array") }
    self.view = view
    elements = view.elements
    upcoming = elements.next()
  }

  var codingPath: [any CodingKey] { view.path }

  var count: Int? { view.count }

  var isAtEnd: Bool { upcoming == nil }

  /// Steps over a null, but over nothing else.
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
    try next([String: JSON].self) { try JSONValueDecoder(view: $0).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([JSON].self) { try JSONUnkeyedDecoding($0) }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next(JSON.self) { JSONValueDecoder(view: $0) }
  }

  /// Reads an element and steps over it; one that fails stays the next, to be read as another type.
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

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type, Bool.read) }
  mutating func decode(_ type: String.Type) throws -> String { try next(type, String.read) }
  mutating func decode(_ type: Double.Type) throws -> Double { try next(type, Double.read) }
  mutating func decode(_ type: Float.Type) throws -> Float { try next(type, Float.read) }
  mutating func decode(_ type: Int.Type) throws -> Int { try next(type, Int.read) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type, Int8.read) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type, Int16.read) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type, Int32.read) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type, Int64.read) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type, UInt.read) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type, UInt8.read) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type, UInt16.read) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type, UInt32.read) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type, UInt64.read) }
}
