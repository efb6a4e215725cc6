/// A number as it was written, compared by what it means: `1`, `1.0` and `1e0` are equal.
package struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The token, as RFC 8259, section 6, has it.
  package let raw: String

  /// The largest integer up to which doubles, and so all front ends, hold every one: 2^53.
  package static let largestInteger = 1 << 53

  /// Takes a token that is known to be well formed.
  init(token: String) { raw = token }

  /// An integer, also one beyond 2^53.
  package init(_ value: Int) { raw = String(value) }

  /// The shortest token that gives this double again.
  /// - Precondition: the value is finite.
  package init(_ value: Double) {
    precondition(value.isFinite, "JSON has no name for \(value).")
    var writer = JSONWriter()
    writer.double(value)
    raw = String(writer.bytes)
  }

  /// The exact integer within ±2^53, or nil.
  package var int: Int? { decimal.integer }

  /// The nearest double.
  package var double: Double { raw.withBytes { JSONDecimal.double($0) } }

  package var description: String { raw }

  /// Exact at any length: no double is made.
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.raw == right.raw || left.decimal == right.decimal
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  private var decimal: JSONDecimal { raw.withBytes { JSONDecimal($0) } }
}
