package import OffstageJSON

/// One place where a line that came differs from the line expected.
package struct Mismatch: Equatable, Sendable {
  /// The tokens of the JSON Pointer to the place.
  let path: [String]
  /// Nil if nothing was expected here; the bound value if a placeholder was.
  package let expected: JSON?
  /// Nil if nothing came.
  package let found: JSON?
  /// The placeholder that expected the value.
  package let binding: Bindings.Binding?

  /// The place as a JSON Pointer (RFC 6901), empty for the whole line.
  package var pointer: String {
    path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}
