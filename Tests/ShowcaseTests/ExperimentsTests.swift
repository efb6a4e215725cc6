import Testing

@testable import Showcase

/// The variants in force.
@Suite struct ExperimentsTests {
  @Test(
    arguments: [
      (ABOverrides(), ABTests.control),
      (ABOverrides(categoryRow: .top), ABTests(categoryRow: .top, createAccountPrompt: false)),
      (
        ABOverrides(createAccountPrompt: true),
        ABTests(categoryRow: .original, createAccountPrompt: true)
      ),
      (
        ABOverrides(categoryRow: .original, createAccountPrompt: false), ABTests.control
      ),
    ])
  func overrideReplacesItsVariantAlone(overrides: ABOverrides, expected: ABTests) {
    #expect(ABTests.control.overridden(by: overrides) == expected)
  }

  @Test func weekHasSevenDaysAtTheSameTime() {
    let week = Reminder.week(from: 1_000, in: English())
    #expect(week.map(\.at) == (1...7).map { 1_000 + $0 * 86_400 })
    #expect(Set(week.map(\.id)).count == 7)
    #expect(week.allSatisfy { !$0.title.isEmpty && !$0.body.isEmpty })
  }
}
