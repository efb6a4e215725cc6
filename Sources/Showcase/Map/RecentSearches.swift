import Offstage

/// The newest searches for places, without repeats, which each account keeps.
@CoreActor
final class RecentSearches {
  /// The newest first.
  let texts = Out<[String]>([])

  private let settings: any SettingsRepository
  private let session: Session
  private let saving: EffectHandle
  private let loading: EffectHandle
  private var isLoaded = false

  private static let setting = "place.searches"
  private static let limit = 5

  init(_ settings: any SettingsRepository, _ session: Session, _ effects: Effects) {
    (self.settings, self.session) = (settings, session)
    saving = effects.task(.queue)
    loading = effects.task(.latest)
    session.switches.observe { [self] (_: Trigger) in
      texts.value = []
      if isLoaded { load() }
    }
  }

  /// Returns the searches, and loads them first.
  func loaded() -> Out<[String]> {
    if !isLoaded { load() }
    return texts
  }

  private func load() {
    isLoaded = true
    loading.run { [self] in
      let saved = try await session.read {
        try await settings.values(as: $0)[Self.setting]
      }
      try Task.checkCancellation()
      texts.value = (saved ?? "").split(separator: "\n").map(String.init)
    } catch: { _ in
      // The search works without suggestions.
    }
  }

  func add(_ text: String) {
    let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard !text.isBlank else { return }
    loading.cancel()
    texts.value = Array(([text] + texts.value.filter { $0 != text }).prefix(Self.limit))
    let (owner, saved) = (session.owner, texts.value.joined(separator: "\n"))
    saving.run(outlivesScreen: true) { [self] in
      try await settings.set(Self.setting, to: saved, as: owner)
    } catch: { _ in
      // It is only a suggestion.
    }
  }
}

/// An earlier search in the list.
struct RecentSearch: Identifiable, Codable, Hashable, Sendable {
  /// The text of the search.
  let id: String
  let text: String
}
