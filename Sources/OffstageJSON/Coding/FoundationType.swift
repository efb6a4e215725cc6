/// A Foundation type that is written in its usual JSON form instead of as it encodes itself: a
/// `Date` as ISO 8601 rather than a number of seconds since 2001.
///
/// Types are found by name, so that a program need not link Foundation, which would make it four
/// times as large when linked statically.
package struct FoundationType: Sendable {
  private let mangledName: String
  package let schemaText: String
  /// The text of a value to continue a probe with.
  private let sample: String
  private let expectation: String
  /// nil for bytes, which are neither decoded nor encoded one by one.
  private let form: Form?

  private struct Form: Sendable {
    /// Returns the JSON from which the type decodes itself; nil if the text is not a valid value.
    let parse: @Sendable (_ text: String) -> JSON?
    /// Returns the text of a value; nil if it has none: a date after the year 9999, or a URL that
    /// is relative to another.
    let print: @Sendable (_ own: JSON) -> String?
  }

  #if canImport(Darwin)
    private static let module = "10Foundation"
    private static let decimal = "So9NSDecimala"
  #else
    private static let module = "20FoundationEssentials"
    private static let decimal = "\(module)7DecimalV"
  #endif

  fileprivate static let all = [
    FoundationType(
      mangledName: "\(module)4DateV", schemaText: #"{"type":"string","format":"date-time"}"#,
      sample: "1970-01-01T00:00:00Z", expectation: "date and time as in \"2026-01-01T09:30:00Z\"",
      form: Form {
        Timestamp($0).map { .number(JSONNumber($0.secondsSince2001)) }
      } print: {
        $0.double.flatMap { Timestamp(secondsSince2001: $0)?.description }
      }),
    FoundationType(
      mangledName: "\(module)3URLV", schemaText: #"{"type":"string","format":"uri"}"#,
      sample: "about:blank", expectation: "URL",
      form: Form {
        ["relative": .string($0)]
      } print: {
        $0["base"] == nil ? $0["relative"]?.string : nil
      }),
    FoundationType(
      mangledName: "\(module)4UUIDV", schemaText: #"{"type":"string","format":"uuid"}"#,
      sample: "00000000-0000-0000-0000-000000000000", expectation: "UUID",
      form: Form(parse: { .string($0) }, print: \.string)),
    // A string, because a number might lose digits.
    FoundationType(
      mangledName: decimal, schemaText: #"{"type":"string","format":"decimal"}"#, sample: "0",
      expectation: "decimal number in a string, as in \"12.50\"",
      form: Form(parse: { DecimalParts($0)?.json }, print: { DecimalParts($0)?.description })),
    FoundationType(
      mangledName: "\(module)4DataV", schemaText: #"{"type":"string","contentEncoding":"base64"}"#,
      sample: "", expectation: "bytes in base 64", form: nil),
  ]

  /// The types that are part of this program, by position, so that the search retains nothing.
  fileprivate static let known = all.indices.compactMap { index in
    _typeByName(all[index].mangledName).map { (type: $0, index: index) }
  }

  package func sample(of type: any Decodable.Type) throws -> Any {
    try JSON.string(sample).decode(type)
  }

  // MARK: Reading

  func read<T: Decodable>(_ view: JSONView, as type: T.Type) throws -> T {
    guard let value = value(type, try String.read(view)) else {
      throw view.corrupted(type, expected: expectation)
    }
    return value
  }

  private func value<T: Decodable>(_ type: T.Type, _ text: String) -> T? {
    func make<Bytes: RangeReplaceableCollection<UInt8>>(_ type: Bytes.Type) -> T? {
      Base64.decode(text).map { Bytes($0) as! T }
    }
    guard let form else {
      return (type as? any RangeReplaceableCollection<UInt8>.Type).flatMap { make($0) }
    }
    let own = form.parse(text).map { JSONText(of: $0) }
    return try? own?.withRoot { try T(from: JSONValueDecoder(view: $0)) }
  }

  // MARK: Writing

  func write(_ value: some Encodable, to sink: JSONSink) throws {
    guard let text = text(of: value) else {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: sink.path, debugDescription: "\(value) cannot be written as \(expectation)."))
    }
    sink.writer.string(text)
  }

  private func text(of value: some Encodable) -> String? {
    if let form { return form.print(JSON(withEncoder: value)) }
    return (value as? any RangeReplaceableCollection<UInt8>).map { Base64.encode(Array($0)) }
  }
}

extension FoundationType {
  /// Returns true if a type may be one of these, judging by its name. Finding out that a program
  /// lacks Foundation takes longer than the rest of its start.
  package static func hasName(of type: Any.Type) -> Bool {
    ["Date", "URL", "UUID", "Decimal", "NSDecimal", "Data"]
      .contains(_typeName(type, qualified: false))
  }

  package init?(_ type: Any.Type) {
    guard let found = Self.known.first(where: { $0.type == type }) else { return nil }
    self = Self.all[found.index]
  }
}

extension JSON {
  fileprivate init(withEncoder value: some Encodable) {
    let sink = JSONSink()
    try? value.encode(to: JSONValueEncoder(sink: sink))
    sink.close()
    sink.fill()
    self.init(encoded: Array(sink.writer.bytes))
  }
}
