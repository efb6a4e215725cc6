import Offstage
import OffstageTesting
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
    let week = Reminder.week(from: 1_000, Format(words: Words.english, locale: UserLocale()))
    #expect(week.map(\.at) == (1...7).map { 1_000 + $0 * 86_400 })
    #expect(Set(week.map(\.id)).count == 7)
    #expect(week.allSatisfy { !$0.title.isEmpty && !$0.body.isEmpty })
  }

  /// The start, as seconds since March 1, 2026, in New York, whose clocks skip the hour from 2:00
  /// on March 8, and the times of the reminders.
  @Test(arguments: [
    (4.days(9), Array(repeating: "9:00", count: 7)),
    (4.days(2.5), ["2:30", "2:30", "3:30", "2:30", "2:30", "2:30", "2:30"]),
    (1.days(23.5), Array(repeating: "23:30", count: 7)),
  ])
  func weekFollowsTheClocks(start: Int, times: [String]) {
    let locale = UserLocale(timeZone: "America/New_York")
    let format = Format(words: Words.english, locale: locale)
    // 2026-03-01T00:00-05:00.
    var now = 1_772_341_200 + start
    var week = Reminder.week(from: now, format)
    #expect(week.map { locale.clock(at: $0.at) } == times)
    #expect(week.map(\.at) == Reminder.week(from: now, like: week, format).map(\.at))
    // The first reminder is then that of the short day, and renewing on it changes no other.
    now = week[2].at - 1
    week = Reminder.week(from: now, like: week, format)
    #expect(week.map { locale.clock(at: $0.at) } == Array(times[2...] + times[..<2]))
    #expect(zip(week, week.dropFirst()).allSatisfy { $0.at < $1.at })
  }
}

extension Int {
  fileprivate func days(_ hours: Double) -> Int { self * Reminder.day + Int(hours * 3600) }
}

extension UserLocale {
  /// The time of day, such as `9:05`.
  fileprivate func clock(at time: Int) -> String {
    let civil = civilTime(at: time)
    return "\(civil.hour):\(civil.minute < 10 ? "0" : "")\(civil.minute)"
  }
}
