/// One value inside a `JSONText`: a place on its tape, not a copy.
///
/// A view is good within the `withRoot` that lent it, until its text reads again; to use one after
/// the text has read again is a programming error and stops the program. It does not keep its text
/// alive: views are passed around for every member of every line, and counting the references would
/// cost more than the reading.
package struct JSONView {
  private let owner: Unmanaged<JSONText>
  let index: UInt32
  private let generation: UInt32

  @inline(__always)
  init(text: JSONText, index: UInt32, generation: UInt32) {
    owner = .passUnretained(text)
    self.index = index
    self.generation = generation
  }

  /// Which of the six kinds it is.
  package var kind: JSONKind {
    switch token.kind {
    case .null: .null
    case .false, .true: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// How many elements or members it has; none unless it is an array or an object.
  package var count: Int { token.count }

  /// Whether it is null.
  package var isNull: Bool { token.isNull }

  /// The truth value, or nil for any other kind.
  package var bool: Bool? {
    switch token.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The string without its escapes, or nil for any other kind.
  package var string: String? {
    let token = token
    return token.isString ? withText { $0.string(token) } : nil
  }

  /// The exact integer within ±2^53, or nil: `1.0` and `1e2` are integers, 2^53 + 1 is none here,
  /// because front ends that keep numbers as doubles would change it.
  package var int: Int? {
    let token = token
    return token.kind == .number ? withText { $0.integer(token) } : nil
  }

  /// The nearest double, or nil for any other kind. It is always finite.
  package var double: Double? {
    let token = token
    return token.kind == .number ? withText { JSONDecimal.double($0.bytes(of: token)) } : nil
  }

  /// Whether this is a string of these characters, compared as UTF-8 and without its escapes.
  package func equals(_ name: StaticString) -> Bool {
    let token = token
    return token.isString && withText { $0.equals(token, UnsafeRawBufferPointer(name)) }
  }

  /// Whether this is a string of exactly these bytes.
  @_disfavoredOverload
  package func equals(_ name: String) -> Bool {
    let token = token
    return token.isString && name.withBytes { name in withText { $0.equals(token, name) } }
  }

  /// The value as it stands in the text, byte for byte, for the time of the call.
  package func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(withText { $0.bytes(of: token) })
  }

  /// A copy of the value as it stands in the text, byte for byte.
  package var bytes: [UInt8] { withBytes { Array($0) } }

  /// Its token; every look at the text comes through here and so is checked.
  @inline(__always)
  var token: JSONToken {
    withText {
      precondition(generation == $0.generation, "The JSONText has read another text since.")
      return $0.tape.tokens[Int(index)]
    }
  }

  /// The text, for what is not done on every line.
  var text: JSONText { owner.takeUnretainedValue() }

  /// Lends the text without a count of references going up and down.
  @inline(__always)
  func withText<Result>(_ body: (JSONText) -> Result) -> Result {
    owner._withUnsafeGuaranteedRef(body)
  }

  /// Another value of the same text.
  @inline(__always)
  func at(_ index: UInt32) -> JSONView {
    JSONView(owner: owner, index: index, generation: generation)
  }

  @inline(__always)
  private init(owner: Unmanaged<JSONText>, index: UInt32, generation: UInt32) {
    self.owner = owner
    self.index = index
    self.generation = generation
  }
}
