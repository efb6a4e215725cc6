import OffstageJSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  func check(
    _ expected: String, _ write: (inout JSONWriter) throws -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) rethrows {
    var writer = JSONWriter()
    try write(&writer)
    #expect(String(writer.bytes) == expected, sourceLocation: location)
  }

  @Test func commasAreInserted() {
    check(#"{"a":1,"b":[true,null,"x",{},[],{"c":1.5}],"d":{"e":[]}}"#) {
      $0.beginObject()
      $0.key("a")
      $0.int(1)
      $0.key("b" as String)
      $0.beginArray()
      $0.bool(true)
      $0.null()
      $0.string("x")
      $0.beginObject()
      $0.endObject()
      $0.beginArray()
      $0.endArray()
      $0.beginObject()
      $0.key("c")
      $0.double(1.5)
      $0.endObject()
      $0.endArray()
      $0.key("d")
      $0.beginObject()
      $0.key("e")
      $0.raw("[]")
      $0.endObject()
      $0.endObject()
    }
  }

  @Test func lineFeedStartsANewText() {
    check("[1]\n\"a,\"\n2") {
      $0.beginArray()
      $0.int(1)
      $0.endArray()
      $0.bytes.append(10)
      $0.string("a,")
      $0.bytes.append(10)
      $0.int(2)
    }
  }

  @Test func stringsDoNotConfuseCommas() {
    check(#"["a:","b{","[",",","\n",0]"#) {
      $0.beginArray()
      for string in ["a:", "b{", "[", ",", "\n"] { $0.string(string) }
      $0.int(0)
      $0.endArray()
    }
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("a\"b\\c/d", #""a\"b\\c/d""#),
    ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
    ("\0\u{1}\u{f}\u{10}\u{1f} ", #""\u0000\u0001\u000f\u0010\u001f ""#),
    ("\u{7f}", "\"\u{7f}\""), ("é€😀", #""é€😀""#),
    ("\u{80}\u{84}\u{86}\u{c5}", "\"\u{80}\u{84}\u{86}\u{c5}\""),
    ("\u{85}a\u{2028}b\u{2029}c", #""\u0085a\u2028b\u2029c""#),
    ("\u{2027}\u{202a}", "\"\u{2027}\u{202a}\""),
    (String(repeating: "x", count: 56), "\"" + String(repeating: "x", count: 56) + "\""),
    (String(repeating: "x", count: 57), "\"" + String(repeating: "x", count: 57) + "\""),
    (
      String(repeating: "x", count: 100) + "\n", "\"" + String(repeating: "x", count: 100) + "\\n\""
    ),
    ("12345678\"", #""12345678\"""#), ("1234567é", #""1234567é""#),
  ])
  func stringsAreEscaped(_ string: String, _ expected: String) throws {
    check(expected) { $0.string(string) }
    check("{" + expected + ":1}") {
      $0.beginObject()
      $0.key(string)
      $0.int(1)
      $0.endObject()
    }
    check("{\"a\":0," + expected + ":[" + expected + "," + expected + "]}") {
      $0.beginObject()
      $0.key("a")
      $0.int(0)
      $0.key(string)
      $0.beginArray()
      $0.string(string)
      $0.string(string)
      $0.endArray()
      $0.endObject()
    }
    #expect(try JSON(parsing: expected) == .string(string))
  }

  /// Every length and offset, since words and single bytes take different paths.
  @Test func escapesWorkAtEveryOffset() throws {
    for length in 0..<70 {
      for place in 0..<length {
        for odd in ["\"", "\u{1}", "é", "\u{2028}"] {
          let string =
            String(repeating: "x", count: place) + odd
            + String(repeating: "y", count: length - place)
          #expect(try JSON(parsing: JSON.string(string).description) == .string(string))
        }
      }
    }
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (-7, "-7"), (10, "10"), (1_234_567_890, "1234567890"),
      (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ] as [(Int, String)])
  func integersArePrinted(_ value: Int, _ expected: String) { check(expected) { $0.int(value) } }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0"), (5, "5"), (-5, "-5"), (0.5, "0.5"), (-0.1, "-0.1"),
      (1e15, "1000000000000000"),
      (9_007_199_254_740_992, "9007199254740992"), (9_007_199_254_740_994, "9.007199254740994e+15"),
      (1e16, "1e+16"), (1e21, "1e+21"), (1.5e300, "1.5e+300"), (.leastNonzeroMagnitude, "5e-324"),
      (1e-7, "1e-07"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (0.1 + 0.2, "0.30000000000000004"),
      (123456.789, "123456.789"),
    ] as [(Double, String)])
  func doublesArePrintedShortest(_ value: Double, _ expected: String) throws {
    check(expected) { $0.double(value) }
    #expect(try JSON(parsing: expected).double == value)
  }

  @Test func randomDoublesRoundTrip() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(try JSON(parsing: JSONNumber(value).raw).double == value)
    }
  }

  /// Only what could be taken for the end of a line is changed.
  @Test(arguments: [
    (#"1.0"#, #"1.0"#), (#""a\u0062\/""#, #""a\u0062\/""#),
    (#"{"b" : [1 ,2]}"#, #"{"b" : [1 ,2]}"#),
    ("[1,\r\n 2\n]", "[1, 2]"),
    ("[\"\u{2028}x\u{2029}\u{85}é\u{2027}\"]", "[\"\\u2028x\\u2029\\u0085é\u{2027}\"]"),
  ])
  func viewsAreCopiedByteForByte(_ text: String, _ expected: String) throws {
    let text = try JSONText(text)
    check("[" + expected + "," + expected + "]") {
      $0.beginArray()
      $0.view(text.root)
      $0.view(text.root)
      $0.endArray()
    }
  }

  @Test func rawValuesAreCopied() {
    check(#"[1,"2",4]"#) {
      $0.beginArray()
      $0.raw([0x31])
      $0.raw("\"2\"")
      $0.raw("4" as String)
      $0.endArray()
    }
  }
}
