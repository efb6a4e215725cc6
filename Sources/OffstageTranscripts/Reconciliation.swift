import OffstageJSON

/// A pattern brought in line with the value that came: where they differ, and what to write now.
struct Reconciliation {
  /// The value that came, with the pattern's placeholders wherever these still hold.
  private(set) var pattern: JSON
  /// In the order of the value that came, members that did not come last; empty for a match.
  private(set) var mismatches: [Mismatch] = []
  /// How many strings, numbers and so on, the smallest parts of both, were compared,
  private(set) var parts = 0
  /// and how many of them agreed.
  private(set) var agreeing = 0

  private var path: [String] = []
  private var bindings: Bindings
  private let line: Int

  /// - Parameter bindings: gains the placeholders seen here for the first time. A value that
  ///   matches only in part binds, too, so that one difference does not lead to the next.
  /// - Parameter line: where the pattern stands in the transcript.
  init(_ pattern: JSON, with found: JSON, line: Int, bindings: inout Bindings) {
    self.pattern = pattern
    self.line = line
    self.bindings = bindings
    self.pattern = reconcile(pattern, found)
    bindings = self.bindings
  }

  var isMatch: Bool { mismatches.isEmpty }

  /// Whether this is rather a changed line than another one.
  var isNearMatch: Bool { agreeing * 2 >= parts }

  private mutating func reconcile(_ pattern: JSON, _ found: JSON) -> JSON {
    switch (pattern, found) {
    case (.string(let string), _):
      return reconcile(PatternString(string) ?? .text(string), writtenAs: pattern, found)
    case (.object(let members), .object(let foundMembers)):
      return reconcile(members, foundMembers)
    case (.array(let elements), .array(let foundElements)):
      return reconcile(elements, foundElements)
    case (.null, _), (.bool, _), (.number, _), (.object, _), (.array, _):
      return pattern == found ? agree(on: found) : differ(pattern, found)
    }
  }

  private mutating func reconcile(
    _ string: PatternString, writtenAs pattern: JSON, _ found: JSON
  ) -> JSON {
    switch string {
    case .anything:
      return agree(on: pattern)
    case .text(let text):
      return found == .string(text) ? agree(on: pattern) : differ(.string(text), found)
    case .named(let name):
      guard let binding = bindings[name] else {
        bindings.bind(name, to: found, line: line)
        return agree(on: pattern)
      }
      return binding.value == found
        ? agree(on: pattern) : differ(binding.value, found, binding: binding)
    }
  }

  private mutating func reconcile(_ members: JSONObject, _ found: JSONObject) -> JSON {
    var result: [JSONObject.Member] = []
    for (key, value) in found.members {
      result.append((key, at(key) { walk in walk.reconcile(optional: members[key], value) }))
    }
    for (key, value) in members.members where found[key] == nil {
      at(key) { walk in walk.miss(value) }
    }
    return .object(JSONObject(result))
  }

  private mutating func reconcile(_ elements: [JSON], _ found: [JSON]) -> JSON {
    // An element that was added or removed at the front must not make all others differ.
    let suffix = elements.count == found.count ? 0 : matchingSuffix(elements, found)
    let middle = (elements: elements.count - suffix, found: found.count - suffix)
    var result: [JSON] = []
    for (index, value) in found.enumerated() {
      let partner = index < middle.found ? index : index - middle.found + middle.elements
      let isPaired = index >= middle.found || index < middle.elements
      // A bare nil would be JSON's null here.
      let element = isPaired ? elements[partner] : JSON?.none
      result.append(at(String(index)) { walk in walk.reconcile(optional: element, value) })
    }
    for index in min(middle.found, middle.elements)..<middle.elements {
      at(String(index)) { walk in walk.miss(elements[index]) }
    }
    return .array(result)
  }

  private func matchingSuffix(_ elements: [JSON], _ found: [JSON]) -> Int {
    var trial = bindings
    return zip(elements.reversed(), found.reversed()).prefix { element, value in
      Reconciliation(element, with: value, line: line, bindings: &trial).isMatch
    }.count
  }

  private mutating func reconcile(optional pattern: JSON?, _ found: JSON) -> JSON {
    if let pattern { return reconcile(pattern, found) }
    return differ(JSON?.none, found)
  }

  private mutating func at<Result>(
    _ token: String, _ body: (inout Reconciliation) -> Result
  ) -> Result {
    path.append(token)
    defer { path.removeLast() }
    return body(&self)
  }

  private mutating func agree(on pattern: JSON) -> JSON {
    agreeing += 2
    parts += 2
    return pattern
  }

  private mutating func miss(_ expected: JSON) {
    parts += expected.parts
    mismatches.append(Mismatch(path: path, expected: expected, found: JSON?.none, binding: nil))
  }

  private mutating func differ(
    _ expected: JSON?, _ found: JSON, binding: Bindings.Binding? = nil
  ) -> JSON {
    parts += (expected?.parts ?? 0) + found.parts
    mismatches.append(Mismatch(path: path, expected: expected, found: found, binding: binding))
    return PatternString.escaping(found)
  }
}

extension JSON {
  /// How many strings, numbers and so on it is made of; an empty container counts as one.
  fileprivate var parts: Int {
    switch self {
    case .null, .bool, .number, .string: 1
    case .array(let elements): max(1, elements.reduce(0) { $0 + $1.parts })
    case .object(let members): max(1, members.members.reduce(0) { $0 + $1.value.parts })
    }
  }
}
