internal import OffstageJSON

/// A time zone: its offsets from UTC over time. A front end names the zone; the core finds its
/// rules in the system's time zone database, whose files RFC 9636 describes.
package struct ZoneRules: Sendable {
  /// The name, such as `Asia/Seoul`, `UTC`, or `+09:00`.
  package let id: String
  /// Offsets in seconds and the times from which they apply, in order of time.
  private var transitions: [(time: Int, offset: Int)] = []
  /// The offset before the first transition.
  private var first: Int
  /// The rule after the last transition; nil to keep its offset.
  private var rule: YearlyRule?

  /// Coordinated Universal Time.
  package static let utc = ZoneRules(id: "UTC", offset: 0)

  /// Creates a zone with the same offset at all times, in seconds east of UTC.
  package init(id: String, offset: Int) {
    self.id = id
    first = offset
  }

  /// Parses a fixed offset: `UTC`, `GMT`, `Z`, `+09:00`, `-0330`, `+9`.
  package init?(fixed id: String) {
    if ["UTC", "GMT", "Z", "Etc/UTC", "Etc/GMT"].contains(id) {
      self.init(id: id, offset: 0)
      return
    }
    guard let sign = id.utf8.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) else {
      return nil
    }
    let parts = id.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && parts.allSatisfy({ $0.utf8.count == 2 }) else {
      return nil
    }
    let digits = parts.joined()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), [1, 2, 4].contains(digits.count),
      let hours = Int(digits.count == 4 ? digits.prefix(2) : digits[...]), hours <= 18,
      let minutes = digits.count == 4 ? Int(digits.suffix(2)) : 0, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    self.init(id: id, offset: sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// Parses a file of the time zone database.
  /// - Returns: nil if the bytes are not such a file.
  package init?(id: String, file: [UInt8]) {
    var reader = ZoneFileReader(file)
    guard let zone = reader.read() else { return nil }
    self.init(id: id, offset: zone.first)
    transitions = zone.transitions
    rule = YearlyRule(zone.footer)
  }

  /// Returns the seconds to add to UTC at a time, given in seconds since 1970.
  package func offset(at time: Int) -> Int {
    let next = transitions.partitioningIndex { $0.time > time }
    let offset = next == 0 ? first : transitions[next - 1].offset
    return next == transitions.count ? rule?.offset(at: time) ?? offset : offset
  }
}

extension ZoneRules: Hashable {
  /// Zones are equal if they have the same name.
  package static func == (a: ZoneRules, b: ZoneRules) -> Bool { a.id == b.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A date and time of day as calendars and clocks show them, in the Gregorian calendar.
public struct CivilTime: Hashable, Sendable {
  public let year: Int
  /// From 1.
  public let month: Int
  /// From 1.
  public let day: Int
  /// From 0 for Sunday.
  public let weekday: Int
  public let hour: Int
  public let minute: Int
  public let second: Int
  /// Days since 1970-01-01, to count the days between two dates.
  public let dayNumber: Int

  /// - Parameter seconds: Since 1970-01-01T00:00, in the zone's own time.
  init(_ seconds: Int) {
    dayNumber = seconds.flooredQuotient(86_400)
    let rest = seconds - dayNumber * 86_400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    weekday = (dayNumber + 4).flooredRemainder(7)
    let date = GregorianDate(dayNumber: dayNumber)
    (year, month, day) = (date.year, date.month, date.day)
  }
}

/// The yearly rule for daylight saving time, as spelled in the `TZ` variable of POSIX:
/// `EST5EDT,M3.2.0,M11.1.0`.
private struct YearlyRule: Sendable {
  /// A weekday of a month, and the seconds from the start of that day; week 5 is the last one. No
  /// zone of the database has another kind of date.
  private typealias Change = (month: Int, week: Int, weekday: Int, seconds: Int)

  private let standard: Int
  private let summer: (offset: Int, start: Change, end: Change)?

  init?(_ text: String) {
    var scanner = RuleScanner(text)
    guard scanner.skipName(), let west = scanner.seconds() else { return nil }
    standard = -west
    guard scanner.skipName() else {
      summer = nil
      return
    }
    let offset = scanner.seconds().map { -$0 } ?? standard + 3600
    guard let start = Self.change(&scanner), let end = Self.change(&scanner) else { return nil }
    summer = (offset, start, end)
  }

  private static func change(_ scanner: inout RuleScanner) -> Change? {
    guard scanner.take(","), scanner.take("M"), let month = scanner.number(), scanner.take("."),
      let week = scanner.number(), scanner.take("."), let weekday = scanner.number(),
      let seconds = scanner.take("/") ? scanner.seconds() : 7200
    else { return nil }
    return (month, week, weekday, seconds)
  }

  func offset(at time: Int) -> Int {
    guard let summer else { return standard }
    let year = CivilTime(time + standard).year
    let start = Self.seconds(summer.start, year) - standard
    let end = Self.seconds(summer.end, year) - summer.offset
    // South of the equator, summer spans the new year.
    let isSummer = start < end ? start <= time && time < end : time < end || start <= time
    return isSummer ? summer.offset : standard
  }

  private static func seconds(_ change: Change, _ year: Int) -> Int {
    let first = GregorianDate.dayNumber(year, change.month, 1)
    let next = GregorianDate.dayNumber(year, change.month + 1, 1)
    var day = first + (change.weekday - (first + 4)).flooredRemainder(7) + (change.week - 1) * 7
    while day >= next { day -= 7 }
    return day * 86_400 + change.seconds
  }
}

private struct RuleScanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips `EST` or `<+03>`.
  mutating func skipName() -> Bool {
    if take("<") {
      rest = rest.drop { $0 != ">" }
      return take(">")
    }
    let start = rest.count
    rest = rest.drop { $0.isLetter }
    return rest.count < start
  }

  mutating func number() -> Int? {
    let digits = rest.prefix { $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return digits.count <= 4 ? Int(digits) : nil
  }

  /// Reads `5`, `-3:30` or `02:00:00` as seconds.
  mutating func seconds() -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard var total = number().map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":") {
      guard let number = number() else { return nil }
      total += number * unit
    }
    return isNegative ? -total : total
  }
}

/// Reads a time zone file: a block with times of 32 bits, one with times of 64, and a footer.
private struct ZoneFileReader {
  typealias Zone = (transitions: [(time: Int, offset: Int)], first: Int, footer: String)

  private var rest: ArraySlice<UInt8>

  init(_ file: [UInt8]) { rest = file[...] }

  mutating func read() -> Zone? {
    guard let (version, zone) = readBlock(timeSize: 4) else { return nil }
    guard version >= 0x32 else { return zone }
    guard var (_, zone) = readBlock(timeSize: 8) else { return nil }
    guard rest.popFirst() == 0x0A else { return nil }
    zone.footer = String(decoding: rest.prefix { $0 != 0x0A }, as: UTF8.self)
    return zone
  }

  private mutating func readBlock(timeSize: Int) -> (version: UInt8, Zone)? {
    guard let header = take(20), header.starts(with: "TZif".utf8),
      let counts = numbers(6, size: 4)
    else { return nil }
    let (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
    let (timeCount, typeCount, characterCount) = (counts[3], counts[4], counts[5])
    guard typeCount > 0, let times = numbers(timeCount, size: timeSize),
      let kinds = take(timeCount).map(Array.init), let types = take(typeCount * 6).map(Array.init),
      take(characterCount + leapCount * (timeSize + 4) + standardCount + utcCount) != nil,
      kinds.allSatisfy({ $0 < typeCount })
    else { return nil }
    let offsets = (0..<typeCount).map { Self.number(types[($0 * 6)..<($0 * 6 + 4)]) }
    let transitions = zip(times, kinds).map { (time: $0, offset: offsets[Int($1)]) }
    return (header[header.startIndex + 4], (transitions, offsets[0], ""))
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func numbers(_ count: Int, size: Int) -> [Int]? {
    guard let bytes = take(count * size) else { return nil }
    return (0..<count).map { index in
      Self.number(bytes.dropFirst(index * size).prefix(size))
    }
  }

  /// A big-endian number with a sign.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return bytes.count == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(Int64(bitPattern: value))
  }
}
