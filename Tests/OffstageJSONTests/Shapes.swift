// Types of every kind that `Codable` supports.

enum Order: String, Codable, CaseIterable, Equatable { case asc, desc }

enum Level: Int, Codable, Equatable {
  case low = 1
  case high = 10
}

enum Shape: Codable, Equatable {
  case none
  case circle(radius: Double)
  case line(from: Point, to: Point)
  case label(String)
}

struct Point: Codable, Equatable { var lat: Double, lon: Double }

struct Numbers: Codable, Equatable {
  var i = Int.max >> 11, i8 = Int8.min, i16 = Int16.max, i32 = Int32.min, i64 = Int64(1) << 53
  var u: UInt = 7, u8 = UInt8.max, u16 = UInt16.max, u32 = UInt32.max, u64: UInt64 = 0
  var d = -0.5, f: Float = 0.1, b = true
}

struct Place: Codable, Equatable {
  var id: String
  var point: Point
  var order: Order
  var level: Level?
  var tags: [String]
  var rows: [[Point]]
  var names: [String: Point?]
  var counts: [Int: [Bool]]
  var note: String?
  var shape: Shape
}

class Animal: Codable {
  var name: String

  init(name: String) { self.name = name }
}

/// Keeps its superclass's members under "super", as the standard library proposes.
final class Dog: Animal {
  var tricks: [String]

  init(name: String, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name)
  }

  private enum Key: CodingKey { case tricks }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    try super.init(from: try container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let base = container.superEncoder()
    try container.encode(tricks, forKey: .tricks)
    try super.encode(to: base)
  }
}

/// Keeps its superclass's members among its own.
final class Cat: Animal {
  var lives: Int

  init(name: String, lives: Int) {
    self.lives = lives
    super.init(name: name)
  }

  private enum Key: CodingKey { case lives }

  required init(from decoder: any Decoder) throws {
    lives = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .lives)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(lives, forKey: .lives)
  }
}

/// Nests its members, and writes to the containers alternately.
struct Nested: Codable, Equatable {
  var a: Int, b: [Int], c: String

  private enum Key: CodingKey { case outer, list, c }
  private enum Inner: CodingKey { case a, more }

  init(a: Int, b: [Int], c: String) { (self.a, self.b, self.c) = (a, b, c) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    a = try container.nestedContainer(keyedBy: Inner.self, forKey: .outer).decode(
      Int.self, forKey: .a)
    c = try container.decode(String.self, forKey: .c)
    var list = try container.nestedUnkeyedContainer(forKey: .list)
    b = []
    while !list.isAtEnd {
      var pair = try list.nestedUnkeyedContainer()
      b.append(try pair.decode(Int.self))
      _ = try pair.decodeNil()
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var outer = container.nestedContainer(keyedBy: Inner.self, forKey: .outer)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try outer.encode(a, forKey: .a)
    for number in b {
      var pair = list.nestedUnkeyedContainer()
      try outer.encodeNil(forKey: .more)
      try pair.encode(number)
      try pair.encodeNil()
    }
    try container.encode(c, forKey: .c)
  }
}

/// Validates its value when decoding.
struct Email: Codable, Equatable {
  var address: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    address = try container.decode(String.self)
    guard address.contains("@") else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "an address with @")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(address)
  }
}

/// Tries one type after the other.
enum Either: Codable, Equatable {
  case number(Int)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = .number(try container.decode(Int.self))
    } catch DecodingError.typeMismatch {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}
