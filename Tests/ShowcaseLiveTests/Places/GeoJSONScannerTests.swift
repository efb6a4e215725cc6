import Testing

@testable import ShowcaseLive

@Suite struct GeoJSONScannerTests {
  /// A text, and its features or its error.
  struct Case: CustomTestStringConvertible {
    let text: String
    var features: [String] = []
    var error: String?
    var testDescription: String { text }

    init(_ text: String, _ features: String...) {
      self.text = text
      self.features = features
    }

    init(_ text: String, error: String) {
      self.text = text
      self.error = error
    }
  }

  @Test(arguments: [
    Case(#"{"type":"FeatureCollection","features":[]}"#),
    Case(#"{"features":[{}],"type":"FeatureCollection"}"#, "{}"),
    Case(
      #"{"type":"FeatureCollection","features":[{"a":1},{"b":[2,{}]} , {"c":"]}"}]}"#,
      #"{"a":1}"#, #"{"b":[2,{}]}"#, #"{"c":"]}"}"#),
    Case(
      #"{"type":"FeatureCollection","features":[{"a":"\"}"},{"b":"\\"}]}"#, #"{"a":"\"}"}"#,
      #"{"b":"\\"}"#),
    Case(
      #"{"type":"FeatureCollection","features":[null,1,"a,]",[2,3], true ]}"#, "null", "1",
      #""a,]""#, "[2,3]", "true "),
    Case(
      #" {"x":{"features":[1]},"y":["features",[2]],"type":"FeatureCollection","features":[{}],"z":1}"#,
      "{}"),
    Case(#"{"\"features":[1],"type":"FeatureCollection","features" : [{}]}"#, "{}"),
    Case(#"{"x":"features","type":"FeatureCollection","features":[{}]}"#, "{}"),
    Case("\u{feff}{\"type\":\"FeatureCollection\",\n\"features\": [\n{}\n]\n}\n", "{}"),
    // A Feature alone, and sequences.
    Case("", error: "no GeoJSON text"), Case(" \n", error: "no GeoJSON text"),
    Case(#"{"type":"Feature"}"#, #"{"type":"Feature"}"#),
    Case("{\"a\":1}\n{\"a\":2}\r\n{}", #"{"a":1}"#, #"{"a":2}"#, "{}"),
    Case("\u{1e}{\"a\":1}\n\u{1e}{}\n", #"{"a":1}"#, "{}"),
    Case("{}{}", "{}", "{}"),
    Case(
      #"{"type":"FeatureCollection","features":[{}]}{"type":"FeatureCollection","features":[1]}"#,
      "{}", "1"),
    Case(#"{"type":"FeatureCollection"}"#, #"{"type":"FeatureCollection"}"#),
    Case("[1]", error: "unexpected '[' at line 1, byte 0"),
    Case("{}\u{feff}", error: "unexpected byte 0xef"),
    Case(#"{"type":"Feature","features":[{}]}"#, error: "not a FeatureCollection"),
    Case(#"{"features":[{}]}"#, error: "not a FeatureCollection"),
    Case(
      #"{"type":"FeatureCollection","features":[{}],"features":[{}]}"#,
      error: "second list of features at line 1, byte 55"),
    Case(
      #"{"type":"FeatureCollection","features":[{}]"#, error: "unexpected end at line 1, byte 43"),
    Case(
      #"{"type":"FeatureCollection","features":[{}"#, error: "unexpected end at line 1, byte 42"),
    Case(#"{"type":"FeatureCollection","features":[{"a"#, error: "unexpected end"),
    Case(#"{"type":"FeatureCollection","features":[{},"#, error: "unexpected end"),
    Case(#"{"type":"FeatureCollection","features":["#, error: "unexpected end"),
    Case(#"{"type":"FeatureCollection","#, error: "unexpected end"),
    Case("{\"type\":\"FeatureCollection\",\"features\":[{}\n,]}", error: "invalid JSON"),
    Case(#"{"type":"FeatureCollection","features":[,{}]}"#, error: "invalid JSON"),
    Case(#"{"type":"FeatureCollection","features":[{},,{}]}"#, error: "invalid JSON"),
    Case(#"{"type":"FeatureCollection","features":[{} {}]}"#, error: "invalid JSON"),
    Case(#"{"type":"FeatureCollection","features":[1,{} {},{}]}"#, error: "invalid JSON"),
    Case(#"{"type":"FeatureCollection","features":[{}}]}"#, error: "invalid JSON"),
    Case(#"{"type":"FeatureCollection","features":[{}]}}"#, error: "unexpected '}'"),
    Case(#"{"type":"FeatureCollection","features":[{}]} more"#, error: "unexpected 'm'"),
    Case(#"{"type" "FeatureCollection","features":[{}]}"#, error: "invalid JSON"),
  ])
  func featuresAreFoundInPiecesOfAnySize(_ test: Case) {
    let bytes = Array(test.text.utf8)
    // The size of the pieces makes no difference.
    for size in [bytes.count, 1, 2, 3, 7] {
      let (features, error) = scan(bytes, size: max(size, 1))
      if let expected = test.error {
        #expect(error.map { "\($0)" }?.contains(expected) == true, "\(error as Any) at \(size)")
      } else {
        #expect(error == nil)
        #expect(features == test.features)
      }
    }
  }

  @Test func reportsWhereFeaturesBegin() throws {
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\n {},\n\n  {\"a\":\n1}, 7]}"
    for size in [text.utf8.count, 1, 5] {
      var positions: [GeoJSONPosition] = []
      _ = scan(Array(text.utf8), size: size) { positions.append($1) }
      #expect(
        positions == [
          .init(line: 2, offset: 42), .init(line: 4, offset: 49), .init(line: 5, offset: 59),
        ])
    }
  }

  @Test func skipsFeaturesThatAreTooLong() {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: GeoJSONScanner.longest)
    let bytes =
      Array(#"{"type":"FeatureCollection","features":[{},{"a":""#.utf8) + long
      + Array(#""},{}]}"#.utf8)
    for size in [bytes.count, 1 << 20] {
      #expect(scan(bytes, size: size).features == ["{}", "too long", "{}"])
    }
  }

  /// The limit may fall before the name of the list of features, within it, or after it.
  @Test(arguments: zip([0, 3, 9, 10, 11], [.max, 1 << 20, .max, 1 << 20, .max]))
  func skipsFeaturesOfASequenceThatAreTooLong(before: Int, size: Int) {
    let start = Array(#"{}"#.utf8) + Array("\n{\"a\":\"".utf8)
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: GeoJSONScanner.longest - 8 - before)
    let bytes = start + long + Array("\",\"features\":[{\"features\":[1]}]}\n{}".utf8)
    #expect(scan(bytes, size: min(size, bytes.count)).features == ["{}", "too long", "{}"])
  }

  @Test func refusesACollectionWithTooMuchAfterItsFeatures() {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: GeoJSONScanner.longest)
    let bytes =
      Array(#"{"type":"FeatureCollection","features":[{}],"a":""#.utf8) + long + Array(#""}"#.utf8)
    let error = scan(bytes, size: bytes.count).error
    #expect(error.map { "\($0)" } == "more than 16 MiB outside the features")
  }

  /// Feeds a text in pieces.
  private func scan(
    _ bytes: [UInt8], size: Int, _ note: (String, GeoJSONPosition) -> Void = { _, _ in }
  ) -> (features: [String], error: (any Error)?) {
    var scanner = GeoJSONScanner()
    var features: [String] = []
    do {
      for start in stride(from: 0, to: bytes.count, by: size) {
        try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
          try scanner.scan(piece) { feature, position in
            let text = feature.map { String(decoding: $0, as: UTF8.self) } ?? "too long"
            features.append(text)
            note(text, position)
          }
        }
      }
      try scanner.finish()
      return (features, nil)
    } catch {
      return (features, error)
    }
  }
}
