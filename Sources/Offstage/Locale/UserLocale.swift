/// The language and time zone of the user, as reported by the front end.
public struct UserLocale: Hashable, Sendable {
  /// The language of all texts, with the region whose formats numbers and dates follow.
  public var language: LanguageTag
  /// The time zone of dates and times.
  public var timeZone: ZoneRules

  /// Creates a locale, by default English and UTC.
  public init(language: LanguageTag = "en", timeZone: ZoneRules = .utc) {
    self.language = language
    self.timeZone = timeZone
  }
}

/// The user's locale, now and after every change: a front end that takes over may speak another
/// language.
///
/// A derived output that reads ``value`` is evaluated again after a change, and a closure that
/// observes it is called again. That is all it takes for a text to follow the user's language.
/// ```swift
/// private let locale = CurrentLocale()
///
/// output.title.derive { [locale] in locale.value.language.language == "ko" ? "지도" : "Map" }
/// ```
@CoreActor
public struct CurrentLocale: Source {
  private let cell: LocaleCell

  /// Creates the locale of the screen that is being created, as ``Effects/init(fileID:line:)``
  /// does.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    cell = ScreenNode.beingCreated(for: "CurrentLocale()", fileID, line).core.locale
  }

  /// The current locale.
  public var value: UserLocale { cell.value }

  /// The current locale and every one after it.
  public var signal: Signal<UserLocale> { Signal(cell.changes) { [cell] in cell.value } }
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
