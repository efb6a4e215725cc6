/// The value itself.
struct JSONSingleValueDecoding: SingleValueDecodingContainer {
  let view: JSONView

  var codingPath: [any CodingKey] { view.path }

  func decodeNil() -> Bool { view.isNull }

  func decode(_ type: Bool.Type) throws -> Bool { try .read(view) }
  func decode(_ type: String.Type) throws -> String { try .read(view) }
  func decode(_ type: Double.Type) throws -> Double { try .read(view) }
  func decode(_ type: Float.Type) throws -> Float { try .read(view) }
  func decode(_ type: Int.Type) throws -> Int { try .read(view) }
  func decode(_ type: Int8.Type) throws -> Int8 { try .read(view) }
  func decode(_ type: Int16.Type) throws -> Int16 { try .read(view) }
  func decode(_ type: Int32.Type) throws -> Int32 { try .read(view) }
  func decode(_ type: Int64.Type) throws -> Int64 { try .read(view) }
  func decode(_ type: UInt.Type) throws -> UInt { try .read(view) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try .read(view) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try .read(view) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try .read(view) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try .read(view) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try view.value(type) }
}
