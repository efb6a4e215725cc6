import OffstageJSON
import OffstageRPC
import Testing

/// An id comes back byte for byte: what a front end sent is what it will look for.
@Suite struct RPCIDTests {
  @Test(arguments: [
    "1", "1.0", "1e2", "1E+2", "-0", "0.10", "null", #""1""#, #""\u0031""#, #""""#, #""a b""#,
    "123456789012345678901234567890", "-9007199254740993", "1e-400", #""\"\\\/""#,
    #""\ud83d\ude00""#,
    #""😀é""#, "\"e\u{301}\"", #""x\u0000y""#,
  ])
  func isEchoedByteForByte(id: String) throws {
    #expect(try echoed(id) == id)
  }

  @Test(arguments: [
    ("\"a\u{2028}b\"", #""a\u2028b""#), ("\"\u{2029}\"", #""\u2029""#),
    ("\"\u{85}\"", #""\u0085""#),
  ])
  func separatorsCannotBreakALine(id: String, expected: String) throws {
    #expect(try echoed(id) == expected)
  }

  @Test(arguments: ["true", "false", "[]", "{}", "[1]"])
  func isNothingElse(value: String) throws {
    #expect(try JSONText(value).withRoot { RPCID($0) } == nil)
  }

  @Test func everySpellingIsAnIdOfItsOwn() throws {
    let spellings = ["1", "1.0", "1e0", #""1""#, #""\u0031""#, "null", #""null""#]
    let ids = try spellings.map { try #require(try JSONText($0).withRoot { RPCID($0) }) }
    #expect(Set(ids).count == spellings.count)
    #expect(ids[5] == .null)
  }

  private func echoed(_ id: String) throws -> String {
    let text = try JSONText(#"{"jsonrpc":"2.0","id": \#(id) ,"method":"m"}"#)
    return try text.withRoot { try RPCCall($0, line: 1).id?.text ?? "no call" }
  }
}
