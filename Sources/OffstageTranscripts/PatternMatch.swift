package import OffstageJSON

/// The values of a transcript's placeholders, by name.
typealias Bindings = [String: Binding]

struct Binding: Equatable, Sendable {
  let name: String
  let value: JSON
  /// The line of the transcript that bound it.
  let line: Int
}

/// A string in an expected line. Only values are placeholders, never member names.
enum PatternString: Equatable {
  /// `"$_"`: any value, possibly a different one each time.
  case anything
  /// `"$name"`: any value the first time, and the same value from then on.
  case named(String)
  /// The text itself; `"$$5"` stands for `"$5"`.
  case text(String)

  /// Returns nil for a malformed placeholder such as `"$5"`.
  init?(_ string: String) {
    guard string.utf8.first == UInt8(ascii: "$") else {
      self = .text(string)
      return
    }
    let name = string.utf8.dropFirst()
    if name.first == UInt8(ascii: "$") {
      self = .text(String(Substring(name)))
    } else if name.elementsEqual("_".utf8) {
      self = .anything
    } else if let first = name.first, !first.isDigit,
      name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") })
    {
      self = .named(String(Substring(name)))
    } else {
      return nil
    }
  }

  /// Throws an error for the first malformed placeholder of a pattern.
  static func check(_ pattern: JSON) throws(TranscriptError.Problem) {
    var malformed: String?
    _ = pattern.mapStrings { string in
      if PatternString(string) == nil { malformed = malformed ?? string }
      return string
    }
    guard let malformed else { return }
    throw TranscriptError.Problem(
      "invalid placeholder \"\(malformed)\"; write \"$name\", \"$_\", or \"$\(malformed)\" for the text "
        + "itself")
  }

  /// Returns the pattern that matches only this value.
  static func escaping(_ value: JSON) -> JSON {
    value.mapStrings { $0.utf8.first == UInt8(ascii: "$") ? "$" + $0 : $0 }
  }
}

extension JSON {
  /// Replaces every string in the value, but no member names.
  fileprivate func mapStrings(_ transform: (String) -> String) -> JSON {
    switch self {
    case .null, .bool, .number: self
    case .string(let string): .string(transform(string))
    case .array(let elements): .array(elements.map { $0.mapStrings(transform) })
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.key, $0.value.mapStrings(transform)) }))
    }
  }
}

/// One place where a line differs from the expected one.
struct Mismatch: CustomStringConvertible {
  let pointer: JSONPointer
  /// The bound value if a placeholder was expected; nil if nothing was expected here.
  let expected: JSON?
  /// nil if it is missing.
  let found: JSON?
  let binding: Binding?

  /// One line: "at /params/revision: expected 2, found 3".
  var description: String {
    let value = expected.map { elided($0.description) } ?? "nothing"
    let origin = binding.map { "$\($0.name), bound in line \($0.line) to " } ?? ""
    return "at \(pointer): expected \(origin)\(value), "
      + "found \(found.map { elided($0.description) } ?? "nothing")"
  }
}

/// A comparison of an expected line with an output line.
package struct PatternMatch {
  /// The output value, with the pattern's placeholders where they still match.
  private(set) var updated: JSON = .null
  /// The differences in the order of the output value, followed by missing members.
  private(set) var mismatches: [Mismatch] = []
  /// The number of leaves of both values that were compared.
  private var leaves = 0
  private var agreeing = 0

  private var path: [JSONKey] = []
  /// The caller's bindings, and the placeholders first seen here. They are bound even if only part
  /// of the value matches, so that one difference does not cause others.
  private(set) var bindings: Bindings
  private let line: Int
  /// False to compare arrays of different lengths from the front only.
  private let alignsArrays: Bool

  /// - Parameter line: The pattern's line in the transcript.
  init(
    _ pattern: JSON, with found: JSON, line: Int, bindings: Bindings = [:],
    alignsArrays: Bool = true
  ) {
    self.line = line
    self.bindings = bindings
    self.alignsArrays = alignsArrays
    updated = compare(pattern, found)
  }

  /// Compares a value with a pattern.
  /// - Returns: The differences, such as "at /params/revision: expected 2, found 3".
  package static func differences(from pattern: String, in found: JSON) throws -> [String] {
    let pattern = try JSON(parsing: pattern)
    try PatternString.check(pattern)
    return Self(pattern, with: found, line: 1).mismatches.map(\.description)
  }

  var holds: Bool { mismatches.isEmpty }

  /// True if at least half of the value agrees: it is the same line with changes, not another line.
  var isNear: Bool { agreeing * 2 >= leaves }

  /// - Parameter pattern: nil if no value is expected here.
  private mutating func compare(_ pattern: JSON?, _ found: JSON) -> JSON {
    guard let pattern else { return differ(JSON?.none, found) }
    switch (pattern, found) {
    case (.string(let string), _):
      switch PatternString(string) ?? .text(string) {
      case .anything:
        return agree(on: pattern)
      case .text(let text):
        return found == .string(text) ? agree(on: pattern) : differ(.string(text), found)
      case .named(let name):
        guard let binding = bindings[name] else {
          bindings[name] = Binding(name: name, value: found, line: line)
          return agree(on: pattern)
        }
        return binding.value == found
          ? agree(on: pattern) : differ(binding.value, found, binding: binding)
      }
    case (.object(let members), .object(let foundMembers)):
      return compare(members, foundMembers)
    case (.array(let elements), .array(let foundElements)):
      return compare(elements, foundElements)
    case (.null, _), (.bool, _), (.number, _), (.object, _), (.array, _):
      return pattern == found ? agree(on: found) : differ(pattern, found)
    }
  }

  private mutating func compare(_ members: JSONObject, _ found: JSONObject) -> JSON {
    var result: [JSONObject.Member] = []
    for (key, value) in found.members {
      result.append((key, at(key) { $0.compare(members[key], value) }))
    }
    for (key, value) in members.members where found[key] == nil {
      _ = at(key) { $0.differ(value, nil) }
    }
    return .object(JSONObject(result))
  }

  private mutating func compare(_ elements: [JSON], _ found: [JSON]) -> JSON {
    // An element that was added or removed at the front must not make all others differ.
    let isAligned = elements.count == found.count || !alignsArrays
    let suffix = isAligned ? 0 : matchingSuffix(elements, found)
    let middle = (elements: elements.count - suffix, found: found.count - suffix)
    var result: [JSON] = []
    for (index, value) in found.enumerated() {
      let partner = index < middle.found ? index : index - middle.found + middle.elements
      let isPaired = index >= middle.found || index < middle.elements
      let element = isPaired ? elements[partner] : nil
      result.append(at(String(index)) { $0.compare(element, value) })
    }
    for index in min(middle.found, middle.elements)..<middle.elements {
      _ = at(String(index)) { $0.differ(elements[index], nil) }
    }
    return .array(result)
  }

  private func matchingSuffix(_ elements: [JSON], _ found: [JSON]) -> Int {
    var trial = bindings
    return zip(elements.reversed(), found.reversed()).prefix { element, value in
      // Aligning nested arrays, too, would double the work with every level.
      let match = Self(element, with: value, line: line, bindings: trial, alignsArrays: false)
      trial = match.bindings
      return match.holds
    }.count
  }

  private mutating func at<Result>(
    _ token: String, _ body: (inout PatternMatch) -> Result
  ) -> Result {
    path.append(.name(token))
    defer { path.removeLast() }
    return body(&self)
  }

  private mutating func agree(on pattern: JSON) -> JSON {
    agreeing += 2
    leaves += 2
    return pattern
  }

  private mutating func differ(
    _ expected: JSON?, _ found: JSON?, binding: Binding? = nil
  ) -> JSON {
    leaves += (expected?.leaves ?? 0) + (found?.leaves ?? 0)
    mismatches.append(
      Mismatch(pointer: JSONPointer(path), expected: expected, found: found, binding: binding))
    return found.map(PatternString.escaping) ?? .null
  }
}

extension JSON {
  /// The number of scalars in the value; an empty container counts as one.
  fileprivate var leaves: Int {
    switch self {
    case .null, .bool, .number, .string: 1
    case .array(let elements): max(1, elements.reduce(0) { $0 + $1.leaves })
    case .object(let object): max(1, object.members.reduce(0) { $0 + $1.value.leaves })
    }
  }
}

/// Shortens text, since a first frame can be megabytes long.
func elided(_ text: String) -> String {
  let limit = 200
  let rest = text.unicodeScalars.count - limit
  guard rest > 0 else { return text }
  return String(text.unicodeScalars.prefix(limit)) + "… (\(rest) more)"
}
