/// Returns the text for a number in a language that, like English, tells one from all others.
/// ```swift
/// plural(count, one: "# article marked as read", other: "# articles marked as read")
/// ```
/// - Parameters:
///   - one: The text for 1. A `#` stands for the number.
///   - other: The text for every other number. A `#` stands for the number, with thousands
///     separators.
public func plural(_ count: Int, one: String, other: String) -> String {
  (count == 1 ? one : other).split(separator: "#", omittingEmptySubsequences: false)
    .joined(separator: count.grouped)
}

extension Int {
  /// The number with a comma after every three digits, as in English and Korean: `12,345`.
  public var grouped: String {
    var groups: [Substring] = []
    var rest = String(magnitude)[...]
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest.removeLast(3)
    }
    groups.insert(rest, at: 0)
    return (self < 0 ? "-" : "") + groups.joined(separator: ",")
  }
}
