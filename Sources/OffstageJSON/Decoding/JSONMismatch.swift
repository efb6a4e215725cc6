/// A JSON value of another shape than what is to be made of it.
package struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, as a JSON Pointer (RFC 6901) from the value that was decoded: "" itself, "/lat" a member.
  package var path: String
  /// Such as `number`, `integer from 0 to 255`, `one of "asc", "desc"`.
  package var expected: String
  /// Such as `string`, `nothing` for a missing member, or the value itself where its kind was right.
  package var found: String

  /// States a mismatch; `path` is a JSON Pointer.
  package init(path: String, expected: String, found: String) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// For people: "expected number at /lat, found string".
  package var description: String {
    "expected \(expected)\(path.isEmpty ? "" : " at \(path)"), found \(found)"
  }
}
