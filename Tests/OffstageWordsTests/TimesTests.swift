import Offstage
import OffstageWords
import Testing

@Suite struct TimesTests {
  /// 2026-01-01T15:30:00Z is in the next day in Seoul.
  @Test(
    arguments: [
      ("en", 0, "Jan 1, 2026, 3:30 PM"), ("en-GB", 0, "1 Jan 2026, 15:30"),
      ("en-US", -28800, "Jan 1, 2026, 7:30 AM"), ("ko", 32400, "2026년 1월 2일 오전 12:30"),
      ("ko-KR", 0, "2026년 1월 1일 오후 3:30"), ("en", 32400, "Jan 2, 2026, 12:30 AM"),
      ("fr", 0, "Jan 1, 2026, 3:30 PM"),
    ] as [(LanguageTag, Int, String)])
  func datesFollowLanguageAndTimeZone(_ language: LanguageTag, _ offset: Int, _ text: String) {
    #expect(times(language, offset).dateAndTime(1_767_281_400) == text)
  }

  /// Now is Thursday, 2026-01-08T12:00:00Z.
  @Test(arguments: [
    (0, 0, "Just now", "방금"), (59, 0, "Just now", "방금"), (60, 0, "1 minute ago", "1분 전"),
    (3599, 0, "59 minutes ago", "59분 전"), (3600, 0, "11:00 AM", "오전 11:00"),
    (43_200, 0, "12:00 AM", "오전 12:00"), (43_201, 0, "Yesterday", "어제"),
    (129_601, 0, "Tuesday", "화요일"), (129_601, 43_201, "Wednesday", "수요일"),
    (7 * 86_400, 0, "Jan 1", "1월 1일"), (8 * 86_400, 0, "Dec 31, 2025", "2025년 12월 31일"),
    (-86_400, 0, "Just now", "방금"),
  ])
  func timesGetCoarserWithAge(_ age: Int, _ offset: Int, _ english: String, _ korean: String) {
    let now = 1_767_873_600
    #expect(times("en", offset).past(now - age, now: now) == english)
    #expect(times("ko", offset).past(now - age, now: now) == korean)
  }

  private func times(_ language: LanguageTag, _ offset: Int) -> Times {
    Times(UserLocale(language: language, zone: ZoneRules(id: "test", offset: offset)))
  }
}

@Suite struct NumbersTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (100_000, "100,000"),
    (.min, "-9,223,372,036,854,775,808"),
  ])
  func numbersAreGrouped(_ number: Int, _ text: String) {
    #expect(number.grouped == text)
  }

  @Test(arguments: [
    (0, "0 feeds failed"), (1, "1 feed failed"), (2, "2 feeds failed"),
    (12_345, "12,345 feeds failed"), (-1, "-1 feeds failed"),
  ])
  func onlyOneIsSingular(_ count: Int, _ text: String) {
    #expect(plural(count, one: "# feed failed", other: "# feeds failed") == text)
  }

  @Test func numberMayBeMissingOrRepeated() {
    #expect(plural(1, one: "one", other: "#") == "one")
    #expect(plural(7, one: "", other: "# of #") == "7 of 7")
  }
}
