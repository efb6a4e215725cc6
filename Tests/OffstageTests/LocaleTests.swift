import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

@Suite struct LanguageTagTests {
  @Test(
    arguments: [
      ("en", "en", nil), ("KO-kore-kr", "ko-Kore-KR", "KR"),
      ("zh-hant-TW", "zh-Hant-TW", "TW"), ("es-419", "es-419", "419"),
      ("zh-cmn-Hans-CN", "zh-cmn-Hans-CN", "CN"), ("sl-rozaj-biske", "sl-rozaj-biske", nil),
      ("de-CH-1901", "de-CH-1901", "CH"), ("en-u-ca-buddhist-x-ab", "en-u-ca-buddhist-x-ab", nil),
      ("x-whatever", "x-whatever", nil), ("de-x-a", "de-x-a", nil), ("i-klingon", "i-klingon", nil),
      ("en-GB-oed", "en-GB-oed", "GB"), ("qaa-Qaaa-QM", "qaa-Qaaa-QM", "QM"),
    ] as [(String, String, String?)])
  func tagsAreCanonicalized(_ text: String, canonical: String, region: String?) throws {
    let tag = try #require(LanguageTag(text))
    #expect(tag.description == canonical)
    #expect(tag.region == region)
  }

  @Test(arguments: [
    "", "k", "ko_KR", "ko-", "-ko", "ko--KR", "en-US-", "한국어", "en US", "e1", "123", "en-a", "x",
    "en-x", "abcdefghi", "en-abcdefghi", "en\0",
  ])
  func malformedTagsAreRejected(_ text: String) { #expect(LanguageTag(text) == nil) }

  @Test(
    arguments: [
      ("ko", "ko"), ("ko-KR", "ko"), ("ko-Kore-KR", "ko"), ("ko-u-nu-latn", "ko"),
      ("en-GB", "en-GB"),
      ("en-US", "en"), ("EN", "en"), ("fr", nil), ("kok", nil), ("x-ko", nil),
    ] as [(LanguageTag, LanguageTag?)])
  func bestMatchDropsSubtagsFromTheEnd(_ tag: LanguageTag, _ match: LanguageTag?) {
    #expect(tag.bestMatch(among: ["en", "en-GB", "ko"]) == match)
  }
}

@Suite struct ZoneRulesTests {
  @Test @CoreActor func zoneIsNamedInATest() {
    let core = TestCore()
    core.locale = UserLocale(language: "ko", timeZone: "Asia/Seoul")
    let screen = core.show {
      let display = Display()
      return Probe { screen in
        screen.output.number.derive { display.locale.civilTime(at: 0).hour }
      }
    }
    #expect(screen.output.number.value == 9)
    #expect(UserLocale(timeZone: "America/New_York").offset(at: 1_782_864_000) == -4 * 3600)
  }

  @Test(
    arguments: [
      ("UTC", 0), ("Z", 0), ("+09:00", 32400), ("-0330", -12600), ("+9", 32400), ("+14", 50400),
      ("+25", nil), ("+09:60", nil), ("09:00", nil), ("+", nil),
      ("+0:900", nil), ("+9:", nil), ("+09:00:00", nil),
      ("++9", nil), ("+123", nil),
    ] as [(String, Int?)])
  func fixedOffsetsAreParsed(_ id: String, _ offset: Int?) {
    #expect(ZoneRules(fixed: id)?.offset(at: 0) == offset)
  }

  /// The footer of New York's file, of Sydney's, and rules that name days of the year.
  @Test(arguments: [
    // 2026-03-08T06:59:59Z and a second later, 2026-11-01T05:59:59Z and a second later.
    ("EST5EDT,M3.2.0,M11.1.0", 1_772_953_199, -18000),
    ("EST5EDT,M3.2.0,M11.1.0", 1_772_953_200, -14400),
    ("EST5EDT,M3.2.0,M11.1.0", 1_793_512_799, -14400),
    ("EST5EDT,M3.2.0,M11.1.0", 1_793_512_800, -18000),
    // 2026-01-01 and 2026-07-01.
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_767_225_600, 39600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_782_864_000, 36000),
    // The last Sunday of March 2026 is the 29th; 01:00 UTC.
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_745_999, 3600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_746_000, 7200),
    ("<+0330>-3:30", 0, 12600), ("nonsense,", 0, 0),
  ])
  func footerSetsTheOffset(_ footer: String, _ time: Int, _ offset: Int) throws {
    let zone = try #require(ZoneRules(id: "test", file: Self.file(footer)))
    #expect(zone.offset(at: time) == offset)
  }

  @Test func transitionsSetTheOffset() throws {
    let zone = try #require(
      ZoneRules(id: "test", file: Self.file("", [(-100, 1), (100, 0)], offsets: [60, 120])))
    #expect([-101, -100, 99, 100, 1_000].map(zone.offset(at:)) == [60, 120, 120, 60, 60])
  }

  @Test func truncatedFilesAreRejected() {
    let file = Self.file("EST5EDT,M3.2.0,M11.1.0", [(0, 0)], offsets: [60])
    for count in 0..<(file.count - 24) {
      #expect(ZoneRules(id: "test", file: Array(file.prefix(count))) == nil)
    }
    #expect(
      ZoneRules(id: "test", file: Array("no zone at all, but long enough for it".utf8)) == nil)
  }

  /// A file of version 2 with an empty first block.
  private static func file(
    _ footer: String, _ transitions: [(time: Int, kind: UInt8)] = [], offsets: [Int] = [0]
  ) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    func header(_ times: Int, _ types: Int) -> [UInt8] {
      Array("TZif2".utf8) + bytes(0, 15) + [0, 0, 0, times, types, 4].flatMap { bytes($0, 4) }
    }
    let type = { (offset: Int) in bytes(offset, 4) + [0, 0] }
    let first = header(0, 1) + type(0) + bytes(0, 4)
    let second =
      header(transitions.count, offsets.count) + transitions.flatMap { bytes($0.time, 8) }
      + transitions.map(\.kind) + offsets.flatMap(type) + bytes(0, 4)
    return first + second + [0x0A] + footer.utf8 + [0x0A]
  }

  @Test(arguments: [
    (0, 1970, 1, 1, 4, 0), (951_782_400, 2000, 2, 29, 2, 0), (-1, 1969, 12, 31, 3, 23),
    (1_767_225_599, 2025, 12, 31, 3, 23), (4_107_542_400, 2100, 3, 1, 1, 0),
    (-62_135_596_800, 1, 1, 1, 1, 0),
  ])
  func civilTimeFollowsTheGregorianCalendar(
    _ seconds: Int, _ year: Int, _ month: Int, _ day: Int, _ weekday: Int, _ hour: Int
  ) {
    let time = UserLocale().civilTime(at: seconds)
    #expect([time.year, time.month, time.day] == [year, month, day])
    #expect([time.weekday, time.hour] == [weekday, hour])
    #expect(GregorianDate.dayNumber(year, month, day) == time.dayNumber)
  }
}

@Suite @CoreActor struct DisplayLocaleTests {
  @Test func derivedOutputsFollowTheLocale() async throws {
    let core = TestCore()
    let screen = core.show { Greeting() }
    #expect(screen.output.text.value == "Hello in UTC")
    core.locale = UserLocale(language: "ko-KR", timeZone: "Asia/Seoul")
    #expect(screen.output.text.value == "안녕 in Asia/Seoul")
    #expect(screen.seen == ["en", "ko-KR"])
    core.locale.language = "fr"
    #expect(screen.output.text.value == "Hello in Asia/Seoul")
  }

  @Test func tabTitlesFollowTheLocale() throws {
    let map = LocalizedText { $0.language == "ko" ? "지도" : "Map" }
    let core = TestCore(
      App(
        root: .tabs([
          Tab("map", title: map, icon: "m", Route(Greeting.self)),
          Tab("b", title: "B", icon: "b", Route(Greeting.self)),
        ]),
        screens: [ScreenFactory(Greeting.self) { _ in Greeting() }]))
    core.locale.language = "ko"
    try core.start()
    #expect(core.tabTitles == ["지도", "B"])
    core.locale.language = "en"
    #expect(core.tabTitles == ["Map", "B"])
  }

  @Test func logNamesTheScreenAndTheLevel() {
    let core = TestCore()
    let screen = core.show { Greeting() }
    screen.log.error("no paper")
    screen.log.debug("no ink")
    #expect(core.log == ["error: no paper", "debug: no ink"])
  }
}

private final class Greeting: Screen {
  static let kind = "greeting"
  struct Input: Ports {}
  struct Output: Ports { let text = Out("") }
  let input = Input(), output = Output(), effects = Effects()
  let log = Log()
  private(set) var seen: [String] = []
  private let display = Display()

  init() {
    output.text.derive { [display] in
      let user = display.locale
      return "\(user.language.language == "ko" ? "안녕" : "Hello") in \(user.timeZone)"
    }
    display.locales.observe { [self] locale in
      if seen.last != "\(locale.language)" { seen.append("\(locale.language)") }
    }
  }
}

extension TestCore {
  fileprivate var tabTitles: [String] {
    core.navigationJSON["root"]?["tabs"]?.array?.compactMap { $0["title"]?.string } ?? []
  }
}
