package import OffstageJSON

/// A line that the core is to print: a JSON value with placeholders, and where it may stand.
package struct Expectation: Equatable, Sendable {
  /// How far the order of the lines matters.
  package enum Place: String, Sendable {
    /// After the strict line above it and before the one below, written `< `.
    case strict = "< "
    /// Anywhere among the lines of its block, written `<~ `.
    case anywhere = "<~ "
  }

  package let pattern: JSON
  package let place: Place

  package init(_ pattern: JSON, _ place: Place = .strict) {
    self.pattern = pattern
    self.place = place
  }
}
