import Offstage
import Testing

@Suite struct ScreenIDTests {
  @Test(arguments: ["1", "42"])
  func isReadAsItIsWritten(text: String) { #expect(ScreenID(text)?.description == text) }

  @Test(arguments: ["", "01", "+1", " 1", "1.0", "a", "9223372036854775808"])
  func isNothingElse(text: String) { #expect(ScreenID(text) == nil) }
}
