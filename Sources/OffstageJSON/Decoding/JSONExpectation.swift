/// What a type wants to be decoded from, in words for `JSONMismatch.expected`.
enum JSONExpectation {
  /// Such as `string`, `one of "asc", "desc"`, or `value` where nothing better is known.
  static func name(of type: Any.Type) -> String {
    if let readable = type as? any JSONReadable.Type { return readable.expectation }
    return rawValue(of: type) ?? "value"
  }

  /// What an enumeration with raw values takes, or nil for any other type.
  static func rawValue(of type: Any.Type) -> String? {
    guard let raw = type as? any RawRepresentable.Type else { return nil }
    if let cases = raw as? any CaseIterable.Type { return "one of \(rawValues(cases))" }
    return "value of \(raw)"
  }

  private static func rawValues<Cases: CaseIterable>(_ type: Cases.Type) -> String {
    type.allCases.map { value in
      let raw = (value as? any RawRepresentable)?.rawValue as Any
      return if let name = raw as? String { JSON.string(name).description } else { "\(raw)" }
    }.joined(separator: ", ")
  }
}
