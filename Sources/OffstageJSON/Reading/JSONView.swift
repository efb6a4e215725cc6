/// One value inside a `JSONText`: an index into its tape, not a copy.
///
/// A view is valid inside the `withRoot` call that passed it. Using it after the text has read
/// again traps; using it after the text is gone is undefined, as with `Unmanaged`: never store a
/// view. It does not retain its text: views are passed around for every member of every line, and
/// reference counting would cost more than the reading.
package struct JSONView {
  private let owner: Unmanaged<JSONText>
  let index: UInt32
  private let generation: UInt32

  @inline(__always)
  init(owner: Unmanaged<JSONText>, index: UInt32, generation: UInt32) {
    self.owner = owner
    self.index = index
    self.generation = generation
  }

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

  /// The number of elements or members; 0 for a scalar.
  package var count: Int { token.count }

  // Cheaper than comparing kinds, which other modules cannot inline.
  package var isNull: Bool { token.isNull }
  package var isString: Bool { token.isString }
  package var isArray: Bool { token.isArray }
  package var isObject: Bool { token.isObject }

  /// The boolean, or nil for any other kind.
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

  /// The integer within ±2^53, or nil. `1.0` and `1e2` are integers, as their doubles are; 2^53 + 1 is
  /// not, because a front end that keeps numbers as doubles would change it.
  package var int: Int? {
    let token = token
    guard token.kind == .number else { return nil }
    return withText { JSONNumber.integer($0.bytes(of: token), isPlain: token.isPlain) }
  }

  /// The nearest double, or nil for any other kind. It is always finite.
  package var double: Double? {
    let token = token
    return token.kind == .number ? withText { JSONNumber.double($0.bytes(of: token)) } : nil
  }

  /// Returns true for exactly this string, compared as UTF-8 without escapes.
  package func equals(_ name: StaticString) -> Bool {
    let token = token
    guard token.isString else { return false }
    return withText { $0.equals(token, UnsafeRawBufferPointer(name)) }
  }

  @_disfavoredOverload
  package func equals(_ name: String) -> Bool {
    let token = token
    guard token.isString else { return false }
    return name.withBytes { name in withText { $0.equals(token, name) } }
  }

  /// Calls `body` with the bytes of the value, verbatim.
  package func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(withText { $0.bytes(of: token) })
  }

  package var bytes: [UInt8] { withBytes { Array($0) } }

  /// The bytes of the value, with those of some values within it replaced.
  /// - Parameter views: Values within this one, in document order.
  package func bytes(replacing views: [JSONView], with replacement: [UInt8]) -> [UInt8] {
    withBytes { whole in
      var result: [UInt8] = []
      var end = whole.startIndex
      for view in views {
        let range = view.withBytes { part in
          let start = part.baseAddress! - whole.baseAddress!
          return start..<start + part.count
        }
        result += whole[end..<range.lowerBound]
        result += replacement
        end = range.upperBound
      }
      return result + whole[end...]
    }
  }

  /// The token. Every access to the text comes through here, and traps if the text has changed.
  @inline(__always)
  var token: JSONToken {
    withText {
      precondition(generation == $0.generation, "a JSONView outlived the text it was made from")
      return $0.tape.start[Int(index)]
    }
  }

  /// The text, retained, for code that is not hot.
  var text: JSONText { owner.takeUnretainedValue() }

  /// Calls `body` with the text, without retaining it: the caller of `withRoot` keeps it alive.
  @inline(__always)
  func withText<Result>(_ body: (JSONText) -> Result) -> Result {
    owner._withUnsafeGuaranteedRef(body)
  }

  @inline(__always)
  func at(_ index: UInt32) -> JSONView {
    JSONView(owner: owner, index: index, generation: generation)
  }
}

extension JSONView {
  /// The value of a member, or nil if this is not an object or has no such member. If a name
  /// repeats, the first member wins; see `duplicateKey`.
  package subscript(name: String) -> JSONView? {
    name.withBytes { find($0) }
  }

  /// Returns the value of a member as the subscript does, without allocating.
  package func member(_ name: StaticString) -> JSONView? { find(UnsafeRawBufferPointer(name)) }

  /// An element of an array, or nil past either end. Takes time in proportion to `position`.
  package subscript(position: Int) -> JSONView? {
    guard position >= 0 else { return nil }
    return elements.dropFirst(position).first { _ in true }
  }

  /// The members of an object in document order; empty for any other kind.
  package var members: Members { Members(content: Elements(of: self, isObject)) }

  /// The elements of an array in document order; empty for any other kind.
  package var elements: Elements { Elements(of: self, isArray) }

  @inline(__always)
  private func find(_ name: UnsafeRawBufferPointer) -> JSONView? {
    let token = token
    guard token.isObject else { return nil }
    return withText { text in
      let tokens = text.tape.start
      var key = index &+ 1
      while key < token.next {
        if text.equals(tokens[Int(key)], name) { return at(key &+ 1) }
        key = tokens[Int(key &+ 1)].next
      }
      return nil
    }
  }

  /// A member's name, which is a string, and its value.
  package struct Members: Sequence, IteratorProtocol {
    fileprivate var content: Elements

    package mutating func next() -> (key: JSONView, value: JSONView)? {
      guard let key = content.next(), let value = content.next() else { return nil }
      return (key, value)
    }
  }

  package struct Elements: Sequence, IteratorProtocol {
    private let container: JSONView
    private var element: UInt32
    private let end: UInt32

    /// - Parameter isExpected: False for a value of another kind, which counts as empty.
    fileprivate init(of container: JSONView, _ isExpected: Bool) {
      self.container = container
      element = container.index &+ 1
      end = isExpected ? container.token.next : 0
    }

    package mutating func next() -> JSONView? {
      guard element < end else { return nil }
      let view = container.at(element)
      element = view.token.next
      return view
    }
  }
}

/// The six kinds of JSON value (RFC 8259, section 3).
package enum JSONKind: String, Sendable {
  case null
  case bool = "boolean"
  case number, string, array, object

  /// The name in JSON Schema, used in errors.
  package var name: String { rawValue }
}
