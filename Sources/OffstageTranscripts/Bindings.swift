package import OffstageJSON

/// The values that a transcript's `"$name"` placeholders stand for, as far as they were seen.
package struct Bindings: Equatable, Sendable {
  /// What a placeholder stands for, and since when.
  package struct Binding: Equatable, Sendable {
    package let name: String
    package let value: JSON
    /// The line of the transcript that bound it.
    package let line: Int
  }

  private var byName: [String: Binding] = [:]

  package init() {}

  subscript(name: String) -> Binding? { byName[name] }

  mutating func bind(_ name: String, to value: JSON, line: Int) {
    byName[name] = Binding(name: name, value: value, line: line)
  }
}
