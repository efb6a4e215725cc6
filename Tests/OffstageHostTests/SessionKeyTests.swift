import Testing

@testable import OffstageHost

/// What a front end may name as a visitor and as a session. The names become those of folders.
@Suite struct SessionKeyTests {
  @Test(arguments: [
    ("kim-2", true), (String(repeating: "a", count: 64), true), ("0", true),
    (String(repeating: "a", count: 65), false), ("", false), ("Kim", false), ("a/b", false),
    ("..", false), ("김", false), ("a\n", false), ("a_b", false),
  ])
  func aVisitorHasSmallLettersDigitsAndHyphens(_ name: String, _ isOne: Bool) {
    #expect(SessionKey.isVisitor(name) == isOne)
  }

  @Test(arguments: [
    ("0123456789abcdef0123456789abcdef", true), ("0123456789abcdef0123456789abcde", false),
    ("0123456789abcdef0123456789abcdef0", false), ("0123456789ABCDEF0123456789abcdef", false),
    ("0123456789abcdeg0123456789abcdef", false), ("../3456789abcdef0123456789abcdef", false),
    ("", false),
  ])
  func anIDHas32HexadecimalDigits(_ name: String, _ isOne: Bool) {
    #expect(SessionKey.isID(name) == isOne)
  }
}
