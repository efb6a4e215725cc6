import Foundation
import OffstageClient

/// Writes values for people, by their type, their format, and their unit.
enum Wording {
  /// A process without a locale writes American English.
  static let locale =
    Locale.current.identifier == "en_US_POSIX" ? Locale(identifier: "en_US") : .current

  /// Writes a value on one line: nothing for null, a picture, or a list of objects, and nothing for
  /// what is not for people.
  static func text(of value: Value, _ port: PortDescription) -> String {
    let titles = port.schema["x-titles"]
    if value.members == nil, value.array == nil,
      let title = titles[value.string ?? "\(value)"].string
    {
      return title
    }
    let role = port.says["x-role"].string
    if value.isNull || role == "hidden" || role == "alt" { return "" }
    if role == "progress" { return Row.amount(of: value, port) }
    if let media = port.schema["contentMediaType"].string, !media.hasPrefix("text/") {
      return media.hasPrefix("image/") ? "" : "(\(media))"
    }
    if port.schema["contentMediaType"] == "text/markdown", let text = value.string {
      return RichText(text).plain
    }
    if let text = formatted(value, port.schema) { return text }
    if let bool = value.bool { return bool ? port.title : "" }
    if value.members != nil {
      return port.members.map { text(of: value[$0.name], $0) }.filter { !$0.isEmpty }
        .joined(separator: " · ")
    }
    if let elements = value.array {
      if elements.contains(where: { $0.members != nil }) { return "" }
      let separator = role == "text" ? "" : ", "
      return elements.map { text(of: $0, port.element) }.joined(separator: separator)
    }
    return value.string ?? value.double.map { quantity($0, port.schema["x-unit"].string) }
      ?? "\(value)"
  }

  /// Writes a value by the `format` of its schema; returns nil without one, or if it does not fit.
  private static func formatted(_ value: Value, _ schema: Value) -> String? {
    let amount = value.double ?? value.string.flatMap { Double($0) }
    switch schema["format"].string {
    case "unix-time": return value.double.map { time(Date(timeIntervalSince1970: $0)) }
    case "date-time":
      let date = value.string.flatMap { text in
        try? Date(text, strategy: .iso8601)
      }
      return date.map(time)
    case "duration-seconds": return value.double.map(duration)
    case "percent": return amount.map { number(($0 * 1_000).rounded() / 10) + "%" }
    case "money":
      return amount.map {
        let currency = schema["x-currency"].string ?? ""
        return currency.isEmpty
          ? number($0) : $0.formatted(.currency(code: currency).locale(locale))
      }
    case "coordinate":
      guard let latitude = value["latitude"].double, let longitude = value["longitude"].double
      else { return nil }
      return "\(degrees(latitude, "N", "S")), \(degrees(longitude, "E", "W"))"
    default: return nil
    }
  }

  static func number(_ value: Double) -> String {
    value.formatted(.number.precision(.fractionLength(0...6)).locale(locale))
  }

  /// Writes a number of bytes as a person would: 8 MB, also for 8 MiB. The size of a file is rounded
  /// up, so that it is never written as a limit that it exceeds.
  static func size(_ count: Int, roundsUp: Bool = false) -> String {
    for (unit, binary, decimal) in [
      ("GB", 1 << 30, 1_000_000_000), ("MB", 1 << 20, 1_000_000), ("kB", 1 << 10, 1_000),
    ] {
      if count > 0, count.isMultiple(of: binary), !roundsUp { return "\(count / binary) \(unit)" }
      guard count >= decimal else { continue }
      let tenths = count < 10 * decimal ? 10.0 : 1
      let rounded = (Double(count) * tenths / Double(decimal)).rounded(roundsUp ? .up : .down)
      return "\(number(rounded / tenths)) \(unit)"
    }
    return count == 1 ? "1 byte" : "\(count) bytes"
  }

  /// Writes 850 m, and 1,200 m as 1.2 km.
  private static func quantity(_ value: Double, _ unit: String?) -> String {
    guard let unit else { return number(value) }
    if unit == "B", let count = Int(exactly: value) { return size(count) }
    let isLarge = ["m", "g"].contains(unit) && abs(value) >= 1_000
    return isLarge
      ? "\(number((value / 100).rounded() / 10)) k\(unit)" : "\(number(value)) \(unit)"
  }

  private static func time(_ date: Date) -> String {
    date.formatted(
      Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale, timeZone: .current))
  }

  /// Writes 3,725 as 1 h 2 min 5 s.
  private static func duration(_ seconds: Double) -> String {
    var (rest, parts) = (abs(seconds), [String]())
    for (unit, length) in [("d", 86_400.0), ("h", 3_600), ("min", 60)] where rest >= length {
      parts.append("\(number((rest / length).rounded(.down))) \(unit)")
      rest.formTruncatingRemainder(dividingBy: length)
    }
    if rest > 0 || parts.isEmpty { parts.append("\(number(rest)) s") }
    return (seconds < 0 ? "-" : "") + parts.joined(separator: " ")
  }

  private static func degrees(_ angle: Double, _ positive: String, _ negative: String) -> String {
    let text = abs(angle).formatted(.number.precision(.fractionLength(5)).locale(locale))
    return "\(text)° \(angle < 0 ? negative : positive)"
  }

  /// Reads what a person has typed; the elements of a list are separated by commas.
  static func value(of text: String, _ port: PortDescription) -> Value {
    let types =
      port.schema["type"].array?.compactMap(\.string) ?? [port.schema["type"].string ?? ""]
    if let choice = port.choices.first(where: { $0.title == text }) { return choice.value }
    if types.contains("array") {
      let words = text.split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      return Value(words.map { value(of: $0, port.element) })
    }
    if types.contains("string") { return Value(text) }
    let data = Data(text.utf8)
    return (try? JSONDecoder().decode(Value.self, from: data))
      ?? (text.isEmpty ? .null : Value(text))
  }
}
