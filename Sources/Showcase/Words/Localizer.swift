package import Offstage

/// The words and formats for the user of the screen that is being created.
@CoreActor
struct Localizer {
  private let display = Display()
  private let log = Log()

  /// The user's language.
  var language: LanguageTag { display.locale.language }

  /// The words in the user's language.
  var words: Words { Words(for: display.locale.language) }

  /// Numbers, distances, dates, and times.
  var format: Format { Format(words: words, locale: display.locale) }

  /// Calls `action` when the user's language or time zone has changed.
  func onChange(_ action: @escaping () -> Void) {
    var isFirst = true
    display.locales.observe { _ in
      if !isFirst { action() }
      isFirst = false
    }
  }

  /// Describes an error in the user's language.
  func failure(_ error: any Error, _ attempt: Attempt?) -> Failure {
    Failure(LoadFailure(error), attempt, words)
  }

  /// Describes an error in the user's language, and logs its technical reason.
  func report(_ error: any Error, _ attempt: Attempt?) -> Failure {
    let failure = LoadFailure(error)
    log.error("\(attempt.map { "\($0.rawValue): " } ?? "")\(failure.reason): \(failure.detail)")
    return self.failure(error, attempt)
  }

  /// Describes an error in any language, and logs its technical reason.
  func text(of error: any Error) -> LocalizedText {
    let failure = report(error, nil)
    return .words { failure.translated($0).message }
  }

  /// Returns the message of an alert, and logs the technical reason.
  func message(_ error: any Error) -> String {
    guard let error = error as? PromptError else { return report(error, nil).message }
    log.warning("prompt: \(error)")
    if case .unsupported = error { return words.deviceUnsupported }
    return words.deviceRefused
  }
}

/// The languages that the app supports.
package enum Languages {
  package static let supported: [LanguageTag] = ["en", "ko"]
}

extension LocalizedText {
  /// Creates text from the words in the user's language.
  static func words(_ text: @escaping @Sendable (Words) -> String) -> LocalizedText {
    LocalizedText { text(Words(for: $0)) }
  }
}
