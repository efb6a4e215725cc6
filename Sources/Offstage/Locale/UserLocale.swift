/// The language and time zone of the user, as reported by the front end.
public struct UserLocale: Hashable, Sendable {
  /// The language of all texts, with the region whose formats numbers and dates follow.
  public var language: LanguageTag
  package var zone: ZoneRules

  /// The time zone of dates and times, such as `Asia/Seoul`, `UTC`, or `+09:00`.
  public var timeZone: String { zone.id }

  /// Creates a locale in UTC, by default in English.
  public init(language: LanguageTag = "en") { self.init(language: language, zone: .utc) }

  package init(language: LanguageTag = "en", zone: ZoneRules) {
    self.language = language
    self.zone = zone
  }

  /// Returns what calendars and clocks of the user show at a time, given in seconds since 1970.
  public func civilTime(at time: Int) -> CivilTime { CivilTime(time + offset(at: time)) }

  /// Returns the seconds to add to UTC at a time, given in seconds since 1970.
  public func offset(at time: Int) -> Int { zone.offset(at: time) }
}

/// The locale of a core. Derived outputs depend on it as on a port.
final class LocaleCell: Port {
  let changes = Relay<UserLocale>()
  private var current = UserLocale()

  var value: UserLocale {
    get {
      noteRead()
      return current
    }
    set {
      guard newValue != current else { return }
      current = newValue
      invalidateDependents()
      changes.send(newValue)
    }
  }
}

/// A text that can be shown in any language: a function that takes the language.
/// ```swift
/// Tab("map", title: LocalizedText { $0.language == "ko" ? "지도" : "Map" }, icon: "map", Route(Map.self))
/// ```
public struct LocalizedText: Sendable {
  private let text: @Sendable (LanguageTag) -> String

  /// Creates a text. The closure returns it in the given language, or else in a fallback.
  public init(_ text: @escaping @Sendable (LanguageTag) -> String) { self.text = text }

  /// Returns the text in a language.
  package func callAsFunction(_ language: LanguageTag) -> String { text(language) }
}

extension LocalizedText: ExpressibleByStringInterpolation {
  /// Creates a text that is the same in every language.
  public init(stringLiteral text: String) { self.init { _ in text } }
}
