import Testing

/// Texts for the parser, in the categories of nst/JSONTestSuite: texts that RFC 8259 accepts,
/// rejects, or leaves open.
enum Grammar {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ text: String) {
      testDescription = name
      bytes = Grammar.bytes(text)
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let offset: Int

    init(_ name: String, _ text: String, at offset: Int) {
      testDescription = name
      bytes = Grammar.bytes(text)
      self.offset = offset
    }
  }

  static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  /// Returns the bytes of a text, in which `%` and two hexadecimal digits stand for any byte.
  static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        result.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}

/// Accepted by RFC 8259.
extension Grammar {
  static let accepted: [Case] = [
    Case("array of arrays with spaces", "[[]   ]"),
    Case("array of an empty string", #"[""]"#),
    Case("array, empty", "[]"),
    Case("array, ending with a line feed", "[\"a\"]\n"),
    Case("array of false", "[false]"),
    Case("array of all kinds", #"[null, 1, "1", {}, [], true]"#),
    Case("array of null", "[null]"),
    Case("array of a number and a line feed", "[1\n]"),
    Case("array after a space", " [1]"),
    Case("array of several nulls", "[1,null,null,null,2]"),
    Case("array before a space", "[2] "),
    Case("number with an exponent", "[123e65]"),
    Case("number 0e+1", "[0e+1]"),
    Case("number 0e1", "[0e1]"),
    Case("number after a space", "[ 4]"),
    Case(
      "number close to zero", "[-0.000000000000000000000000000000000000000000000000000000000001]"),
    Case("number, integer with an exponent", "[20e1]"),
    Case("number, minus zero", "[-0]"),
    Case("number, negative", "[-123]"),
    Case("number, minus one", "[-1]"),
    Case("number, minus zero with a fraction", "[-0.0]"),
    Case("number, capital exponent", "[1E22]"),
    Case("number, capital negative exponent", "[1E-2]"),
    Case("number, capital positive exponent", "[1E+2]"),
    Case("number, fraction and exponent", "[123.456e78]"),
    Case("number, negative exponent", "[1e-2]"),
    Case("number, positive exponent", "[1e+2]"),
    Case("number, exponent with leading zeros", "[1e0002]"),
    Case("number, simple", "[123]"),
    Case("number, simple fraction", "[123.456789]"),
    Case("number, zero times a huge power", "[0e999999999999999999999]"),
    Case("number, the largest double", "[1.7976931348623157e308]"),
    Case("number, the smallest double", "[5e-324]"),
    Case("object", #"{"asd":"sdf", "dfg":"fgh"}"#),
    Case("object with one member", #"{"asd":"sdf"}"#),
    Case("object with a name twice", #"{"a":"b","a":"c"}"#),
    Case("object with a member twice", #"{"a":"b","a":"b"}"#),
    Case("object, empty", "{}"),
    Case("object with an empty name", #"{"":0}"#),
    Case("object with NUL escaped in a name", #"{"foo\u0000bar": 42}"#),
    Case("object with extreme numbers", #"{ "min": -1.0e+28, "max": 1.0e+28 }"#),
    Case("object with long strings", #"{"x":[{"id":"\#(String(repeating: "x", count: 40))"}]}"#),
    Case("object with escapes of letters", #"{"title":"\u041f\u043e\u043b"}"#),
    Case("object over several lines", "{\n\"a\": \"b\"\n}"),
    Case("object with white space everywhere", " { \"a\" \t: \r\n [ 1 , 2 ] , \"b\" : 0 } "),
    Case("string of 1, 2 and 3 bytes' characters", #"["\u0060\u012a\u12AB"]"#),
    Case("string with a surrogate pair", #"["\uD801\udc37"]"#),
    Case("string with two surrogate pairs", #"["\ud83d\ude39\ud83d\udc8d"]"#),
    Case("string with the last surrogate pair", #"["\uDBFF\uDFFF"]"#),
    Case("string with all escapes", #"["\"\\\/\b\f\n\r\t"]"#),
    Case("string with a backslash and u0000", #"["\\u0000"]"#),
    Case("string of an escaped quote", #"["\""]"#),
    Case("string with comments", #"["a/*b*/c/*d//e"]"#),
    Case("string with a backslash and a letter", #"["\\a"]"#),
    Case("string with an escaped control character", #"["\u0012"]"#),
    Case("string with an escaped noncharacter", #"["\uFFFF"]"#),
    Case("string in an array with a space", #"[ "asd"]"#),
    Case("string with NUL escaped", #"["\u0000"]"#),
    Case("string with a no-break space", #"["new\u00A0line"]"#),
    Case("string with U+10FFFF", "[\"\u{10FFFF}\"]"),
    Case("string with U+FFFF", "[\"\u{FFFF}\"]"),
    Case("string with U+1BFFF", "[\"\u{1BFFF}\"]"),
    Case("string with U+1FFFE, U+FDD0, U+FFFE", "[\"\u{1FFFE}%ef%b7%90\u{FFFE}\"]"),
    Case("string with U+200B and U+2064", #"["\u200B\u2064"]"#),
    Case("string with U+2028, U+2029, U+0085", "[\"\u{2028}\u{2029}\u{85}\"]"),
    Case("string with U+007F", "[\"a\u{7f}a\"]"),
    Case("string of one, two, three and four bytes", "[\"$π鸡\u{1D11E}\"]"),
    Case("string at the edges of UTF-8", "[\"\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{10000}\"]"),
    Case("string of spaces", #"" ""#),
    Case("string with a line feed escaped", #"["new\u000Aline"]"#),
    Case("string with a quote by number", #"["\u0022"]"#),
    Case("string with hexadecimal of both cases", #"["\uaBcD\uEF01"]"#),
    Case("string of exactly a word", #"["12345678"]"#),
    Case("structure, lonely false", "false"),
    Case("structure, lonely true", "true"),
    Case("structure, lonely null", "null"),
    Case("structure, lonely integer", "42"),
    Case("structure, lonely negative number", "-0.1"),
    Case("structure, lonely string", #""asd""#),
    Case("structure, lonely empty string", #""""#),
    Case("structure, all white space", "\t\r\n [] \t\r\n"),
    Case("structure, as deep as allowed", nested(512)),
  ]
}

/// Left open by RFC 8259, but decided by this parser.
extension Grammar {
  static let accepting: [Case] = [
    Case("number, underflow by a huge exponent", "[123.456e-789]"),
    Case("number, underflow by a huge exponent of many digits", "[0.4e-99999999999999999999]"),
    Case("number, underflow", "[123e-10000000]"),
    Case("number, large negative integer", "[-123123123123123123123123123123]"),
    Case("number, large integer", "[100000000000000000000]"),
    Case("number, very large negative integer", "[-237462374673276894279832749832423479823]"),
    Case("structure, 500 nested arrays", nested(500)),
  ]

  static let refusing: [Refusal] = [
    Refusal("number, huge exponent", "[0.4e00669999999999999999999999999999999]", at: 1),
    Refusal("number, negative with a huge exponent", "[-1e+9999]", at: 1),
    Refusal("number, huge positive exponent", "[1.5e+9999]", at: 1),
    Refusal("number, negative overflow", "[-123123e100000]", at: 1),
    Refusal("number, overflow", "[123123e100000]", at: 1),
    Refusal("number, 1e400", "1e400", at: 0),
    Refusal("number, just over the largest double", "1.7976931348623159e308", at: 0),
    Refusal("number, overflow by digits", String(repeating: "9", count: 400), at: 0),
    Refusal("name, lone low surrogate", #"{"\uDFAA":0}"#, at: 2),
    Refusal("string, high surrogate and nothing", #"["\uDADA"]"#, at: 2),
    Refusal("string, high surrogate and another escape", #"["\uD888\u1234"]"#, at: 2),
    Refusal("string, high surrogate and a short escape", #"["\uD800\n"]"#, at: 2),
    Refusal("string, pair and a lone one", #"["\uD834\uDd1e\ud800"]"#, at: 14),
    Refusal("string, two high surrogates", #"["\uD800\uD800\n"]"#, at: 2),
    Refusal("string, high surrogate before a letter", #"["\ud800abc"]"#, at: 2),
    Refusal("string, surrogates the wrong way round", #"["\uDd1e\uD834"]"#, at: 2),
    Refusal("string, lone low surrogate", #"["\uDFAA"]"#, at: 2),
    Refusal("string, UTF-16 little-endian with BOM", "%ff%fe[%00\"%00%e9%00\"%00]%00", at: 0),
    Refusal("string, UTF-16 little-endian", "[%00\"%00%e9%00\"%00]%00", at: 1),
    Refusal("string, UTF-16 big-endian", "%00[%00\"%00%e9%00\"%00]", at: 0),
    Refusal("string, no UTF-8 sequence", "[\"日ш%fa\"]", at: 7),
    Refusal("string, surrogate in UTF-8", "[\"%ed%a0%80\"]", at: 3),
    Refusal("string, last surrogate in UTF-8", "[\"%ed%bf%bf\"]", at: 3),
    Refusal("string, byte 0xff", "[\"%ff\"]", at: 2),
    Refusal("string, ISO Latin 1", "[\"%e9\"]", at: 3),
    Refusal("string, lone continuation byte", "[\"%81\"]", at: 2),
    Refusal("string, above U+10FFFF", "[\"%f4%90%80%80\"]", at: 3),
    Refusal("string, far above U+10FFFF", "[\"%f5%80%80%80\"]", at: 2),
    Refusal("string, overlong in 2 bytes", "[\"%c0%af\"]", at: 2),
    Refusal("string, overlong in 3 bytes", "[\"%e0%80%af\"]", at: 3),
    Refusal("string, overlong in 4 bytes", "[\"%f0%80%80%af\"]", at: 3),
    Refusal("string, overlong in 6 bytes", "[\"%fc%83%bf%bf%bf%bf\"]", at: 2),
    Refusal("string, overlong NUL in 6 bytes", "[\"%fc%80%80%80%80%80\"]", at: 2),
    Refusal("string, cut off in UTF-8", "[\"%e0%ff\"]", at: 3),
    Refusal("string, UTF-8 cut off by the end", "\"%e2%80", at: 3),
    Refusal("structure, BOM and an empty object", "%ef%bb%bf{}", at: 0),
    Refusal("structure, one level too deep", nested(513), at: 512),
  ]
}

/// Rejected by RFC 8259.
extension Grammar {
  static let refusedArrays: [Refusal] = [
    Refusal("no comma", "[1 true]", at: 3),
    Refusal("invalid UTF-8 after a value", "[1%e5]", at: 2),
    Refusal("colon for a comma", #"["": 1]"#, at: 3),
    Refusal("comma after the end", #"[""],"#, at: 4),
    Refusal("comma first", "[,1]", at: 1),
    Refusal("comma twice", "[1,,2]", at: 3),
    Refusal("comma twice at the end", #"["x",,]"#, at: 5),
    Refusal("closed twice", #"["x"]]"#, at: 5),
    Refusal("comma last", #"["",]"#, at: 4),
    Refusal("incomplete", #"["x""#, at: 4),
    Refusal("letter for a value", "[x", at: 1),
    Refusal("array without a comma before", "[3[4]]", at: 2),
    Refusal("invalid UTF-8", "[%ff]", at: 1),
    Refusal("semicolon", "[1;2]", at: 2),
    Refusal("comma only", "[,]", at: 1),
    Refusal("minus only", "[-]", at: 2),
    Refusal("value missing", "[   , \"\"]", at: 4),
    Refusal("unclosed after line feeds", "[\"a\",\n4\n,1,", at: 11),
    Refusal("number and comma", "[1,]", at: 3),
    Refusal("number and commas", "[1,,]", at: 3),
    Refusal("vertical tab and form feed", "[%0b\u{c}]", at: 1),
    Refusal("star", "[*]", at: 1),
    Refusal("unclosed", #"["""#, at: 3),
    Refusal("unclosed with a comma", "[1,", at: 3),
    Refusal("unclosed with a line feed", "[1,\n1\n,1", at: 8),
    Refusal("unclosed with an object", "[{}", at: 3),
    Refusal("closed as an object", "[1}", at: 2),
  ]

  static let refusedNumbers: [Refusal] = [
    Refusal("123 00", "[123 00]", at: 5),
    Refusal("++", "[++1234]", at: 1),
    Refusal("+1", "[+1]", at: 1),
    Refusal("+Inf", "[+Inf]", at: 1),
    Refusal("-01", "[-01]", at: 3),
    Refusal("-1.0.", "[-1.0.]", at: 5),
    Refusal("-2.", "[-2.]", at: 4),
    Refusal("-NaN", "[-NaN]", at: 2),
    Refusal(".-1", "[.-1]", at: 1),
    Refusal(".2e-3", "[.2e-3]", at: 1),
    Refusal("0.1.2", "[0.1.2]", at: 4),
    Refusal("0.3e+", "[0.3e+]", at: 6),
    Refusal("0.3e", "[0.3e]", at: 5),
    Refusal("0.e1", "[0.e1]", at: 3),
    Refusal("0E+", "[0E+]", at: 4),
    Refusal("0E", "[0E]", at: 3),
    Refusal("1.0e-", "[1.0e-]", at: 6),
    Refusal("1 000.0", "[1 000.0]", at: 3),
    Refusal("1eE2", "[1eE2]", at: 3),
    Refusal("2.e+3", "[2.e+3]", at: 3),
    Refusal("Inf", "[Inf]", at: 1),
    Refusal("NaN", "[NaN]", at: 1),
    Refusal("nan", "[nan]", at: 1),
    Refusal("fullwidth digit", "[１]", at: 1),
    Refusal("expression", "[1+2]", at: 2),
    Refusal("hexadecimal", "[0x42]", at: 2),
    Refusal("Infinity", "[Infinity]", at: 1),
    Refusal("0e+-1", "[0e+-1]", at: 4),
    Refusal("-123.123foo", "[-123.123foo]", at: 9),
    Refusal("invalid UTF-8 after an integer", "[123%e5]", at: 4),
    Refusal("invalid UTF-8 after an exponent", "[1e1%e5]", at: 4),
    Refusal("invalid UTF-8 for an integer", "[0%e5]", at: 2),
    Refusal("-Infinity", "[-Infinity]", at: 2),
    Refusal("-foo", "[-foo]", at: 2),
    Refusal("- 1", "[- 1]", at: 2),
    Refusal("-012", "[-012]", at: 3),
    Refusal("-.123", "[-.123]", at: 2),
    Refusal("-1x", "[-1x]", at: 3),
    Refusal("1ea", "[1ea]", at: 3),
    Refusal("invalid UTF-8 in an exponent", "[1e%e5]", at: 3),
    Refusal("1.", "[1.]", at: 3),
    Refusal(".123", "[.123]", at: 1),
    Refusal("1.2a-3", "[1.2a-3]", at: 4),
    Refusal("1.8011670033376514H-308", "[1.8011670033376514H-308]", at: 19),
    Refusal("012", "[012]", at: 2),
    Refusal("1_000", "[1_000]", at: 2),
    Refusal("minus at the end", "-", at: 1),
  ]

  static let refusedObjects: [Refusal] = [
    Refusal("bad value", #"["x", truth]"#, at: 6),
    Refusal("bracket for a name", "{[: \"x\"}\n", at: 1),
    Refusal("comma for a colon", #"{"x", null}"#, at: 4),
    Refusal("two colons", #"{"x"::"b"}"#, at: 5),
    Refusal("emoji", "{🇨🇭}", at: 1),
    Refusal("garbage at the end", #"{"a":"a" 123}"#, at: 9),
    Refusal("name in single quotes", "{key: 'value'}", at: 1),
    Refusal("lone continuation byte in a name", "{\"%b9\":\"0\",}", at: 2),
    Refusal("colon missing", #"{"a" b}"#, at: 5),
    Refusal("name missing", #"{:"b"}"#, at: 1),
    Refusal("value missing", #"{"a":"#, at: 5),
    Refusal("value missing before the end", #"{"a":}"#, at: 5),
    Refusal("neither colon nor value", #"{"a""#, at: 4),
    Refusal("number for a name", "{1:1}", at: 1),
    Refusal("huge number for a name", "{9999E9999:1}", at: 1),
    Refusal("nulls", "{null:null,null:null}", at: 1),
    Refusal("many commas", #"{"id":0,,,,,}"#, at: 8),
    Refusal("single quotes", "{'a':0}", at: 1),
    Refusal("comma last", #"{"id":0,}"#, at: 8),
    Refusal("comment after", #"{"a":"b"}/**/"#, at: 9),
    Refusal("comment opened after", #"{"a":"b"}/**//"#, at: 9),
    Refusal("line comment after", #"{"a":"b"}//"#, at: 9),
    Refusal("slash after", #"{"a":"b"}/"#, at: 9),
    Refusal("two commas", #"{"a":"b",,"c":"d"}"#, at: 9),
    Refusal("bare name", #"{a: "b"}"#, at: 1),
    Refusal("unterminated value", #"{"a":"a"#, at: 7),
    Refusal("single string", #"{ "foo" : "bar", "a" }"#, at: 21),
    Refusal("garbage after", #"{"a":"b"}#"#, at: 9),
    Refusal("closed as an array", #"{"a":1]"#, at: 6),
  ]

  static let refusedStrings: [Refusal] = [
    Refusal("surrogate, then a backslash", #"["\uD800\"]"#, at: 2),
    Refusal("surrogate, then u", #"["\uD800\u"]"#, at: 10),
    Refusal("surrogate, then u1", #"["\uD800\u1"]"#, at: 11),
    Refusal("surrogate, then u1x", #"["\uD800\u1x"]"#, at: 11),
    Refusal("letter without quotes", "[é]", at: 1),
    Refusal("backslash and NUL", "[\"\\%00\"]", at: 3),
    Refusal("escape x", #"["\x00"]"#, at: 3),
    Refusal("three backslashes", #"["\\\"]"#, at: 7),
    Refusal("escaped tab character", "[\"\\\t\"]", at: 3),
    Refusal("escaped emoji", "[\"\\🌀\"]", at: 3),
    Refusal("incomplete escape", #"["\"]"#, at: 5),
    Refusal("incomplete hexadecimal", #"["\u00A"]"#, at: 7),
    Refusal("incomplete low surrogate", #"["\uD834\uDd"]"#, at: 12),
    Refusal("low surrogate of a bad escape", #"["\uD800\uD800\x"]"#, at: 2),
    Refusal("invalid UTF-8 in an escape", "[\"\\u%e5\"]", at: 4),
    Refusal("unknown escape", #"["\a"]"#, at: 3),
    Refusal("no hexadecimal", #"["\uqqqq"]"#, at: 4),
    Refusal("invalid UTF-8 after a backslash", "[\"\\%e5\"]", at: 3),
    Refusal("escape before the quote", #"[\u0020"asd"]"#, at: 1),
    Refusal("escape without quotes", #"[\n]"#, at: 1),
    Refusal("one quote", "\"", at: 1),
    Refusal("single quotes", "['single quote']", at: 1),
    Refusal("letters", "abc", at: 0),
    Refusal("unclosed at a backslash", #"["\"#, at: 3),
    Refusal("NUL", "[\"a%00a\"]", at: 3),
    Refusal("line feed", "[\"new\nline\"]", at: 5),
    Refusal("carriage return", "[\"new\rline\"]", at: 5),
    Refusal("tab", "[\"\t\"]", at: 2),
    Refusal("U+001F", "[\"\u{1f}\"]", at: 2),
    Refusal("capital U", #""\UA66D""#, at: 2),
    Refusal("garbage after", #"""x"#, at: 2),
  ]

  static let refusedStructures: [Refusal] = [
    Refusal("100,000 arrays", String(repeating: "[", count: 100_000), at: 512),
    Refusal("50,000 objects", String(repeating: #"[{"":"#, count: 50_000), at: 1280),
    Refusal("false, incomplete", "[fals]", at: 1),
    Refusal("null, incomplete", "[nul]", at: 1),
    Refusal("true, incomplete", "[tru]", at: 1),
    Refusal("true, cut off", "tru", at: 0),
    Refusal("one space", " ", at: 1),
    Refusal("nothing", "", at: 0),
    Refusal("word joiner", "[\u{2060}]", at: 1),
    Refusal("no-break space", "[\u{a0}]", at: 1),
    Refusal("BOM only", "%ef%bb%bf", at: 0),
    Refusal("BOM, incomplete", "%ef%bb{}", at: 0),
    Refusal("angle bracket", "<.>", at: 0),
    Refusal("null in angle brackets", "[<null>]", at: 1),
    Refusal("array and garbage", "[1]x", at: 3),
    Refusal("array closed twice", "[1]]", at: 3),
    Refusal("array with an unclosed string", #"["asd]"#, at: 6),
    Refusal("identifier", "aå", at: 0),
    Refusal("True", "[True]", at: 1),
    Refusal("true and more", "[truee]", at: 5),
    Refusal("array not opened", "1]", at: 1),
    Refusal("comma for a brace", #"{"x": true,"#, at: 11),
    Refusal("two arrays", "[][]", at: 2),
    Refusal("array end", "]", at: 0),
    Refusal("invalid UTF-8", "%e5", at: 0),
    Refusal("bracket", "[", at: 1),
    Refusal("NUL outside a string", "[%00]", at: 1),
    Refusal("NUL after the text", "[]%00", at: 2),
    Refusal("number and garbage", "2@", at: 1),
    Refusal("object closed twice", "{}}", at: 2),
    Refusal("object unclosed without a value", #"{"":"#, at: 4),
    Refusal("object with a comment", #"{"a":/*comment*/"b"}"#, at: 5),
    Refusal("object and garbage", #"{"a": true} "x""#, at: 12),
    Refusal("array and apostrophe", "['", at: 1),
    Refusal("array and comma", "[,", at: 1),
    Refusal("array and object", "[{", at: 2),
    Refusal("array and open string", "[\"a", at: 3),
    Refusal("array and string", "[\"a\"", at: 4),
    Refusal("object opened", "{", at: 1),
    Refusal("object closed as array", "{]", at: 1),
    Refusal("object and comma", "{,", at: 1),
    Refusal("object and array", "{[", at: 1),
    Refusal("object and open string", "{\"a", at: 3),
    Refusal("object and apostrophes", "{'a'", at: 1),
    Refusal("many opened", #"["\{["\{["\{"#, at: 3),
    Refusal("letter", "é", at: 0),
    Refusal("star", "*", at: 0),
    Refusal("hash after", #"{"a":"b"}#{}"#, at: 9),
    Refusal("escape outside a string", #"[\u000A""]"#, at: 1),
    Refusal("array unclosed", "[1", at: 2),
    Refusal("array unclosed in null", "[ false, nul", at: 9),
    Refusal("array unclosed in false", "[ true, fals", at: 8),
    Refusal("object unclosed", #"{"asd":"asd""#, at: 12),
    Refusal("form feed", "[\u{c}]", at: 1),
  ]
}
