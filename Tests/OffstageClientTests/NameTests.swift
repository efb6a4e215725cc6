import OffstageHost
import Testing

@testable import OffstageCommand

@Suite struct NameTests {
  @Test func nameOfAnAppNamesItsPackageModuleAndTypes() throws {
    let name = try AppName("issue-tracker")
    #expect(name.package == "issue-tracker")
    #expect(name.module == "issue_tracker")
    #expect(name.type == "IssueTracker")
  }

  @Test func nameOfAScreenNamesItsTypeAndKind() throws {
    let name = try ScreenName("issueList")
    #expect(name.type == "IssueList")
    #expect(name.kind == "issueList")
  }

  @Test(arguments: ["2do", "Todo", "to do", "-todo", "한글", ""])
  func invalidNameOfAnAppIsExplained(_ name: String) {
    let error = #expect(throws: UsageError.self) { try AppName(name) }
    #expect(
      error?.description == "\"\(name)\" is not a valid app name: start with a lowercase letter, "
        + "then use lowercase letters, digits, and hyphens")
  }

  @Test(arguments: ["2nd", "Issue-List", "Issue List", "한글", ""])
  func invalidNameOfAScreenIsExplained(_ name: String) {
    let error = #expect(throws: UsageError.self) { try ScreenName(name) }
    #expect(
      error?.description == "\"\(name)\" is not a valid screen name: start with a letter, "
        + "then use letters and digits")
  }

  @Test(arguments: ["swift", "offstage", "func"])
  func appCannotHaveTheNameOfAModuleOrAKeyword(_ name: String) {
    #expect(throws: UsageError.self) { try AppName(name) }
  }

  @Test(arguments: ["Screen", "string"])
  func screenCannotHaveTheNameOfAType(_ name: String) {
    #expect(throws: UsageError.self) { try ScreenName(name) }
  }
}
