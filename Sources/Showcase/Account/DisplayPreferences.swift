import Offstage

/// The language and the appearance that the user has chosen, and whether the welcome has been read: the
/// same for all accounts of this device.
@CoreActor
final class DisplayPreferences {
  let language: Preference<LanguageOption>
  let appearance: Preference<AppearanceOption>
  let welcome: Preference<WelcomeState>

  /// Creates the preferences of the scope that is being created, and follows them.
  init(_ settings: any SettingsRepository) {
    language = Preference(.system, "display.language", in: settings)
    appearance = Preference(.system, "display.appearance", in: settings)
    welcome = Preference(.unread, "welcome", in: settings)
    let display = Display()
    display.bindLanguage(to: language.value.map(\.tag))
    display.bindAppearance(isDark: appearance.value.map(\.isDark))
    Effects().run { [self] in
      let saved = try await settings.values(as: .device)
      language.show(saved)
      appearance.show(saved)
      welcome.show(saved)
    } catch: { _ in
      // The choices are shown as the device's, and can be made again.
    }
  }
}

/// A choice that is kept on this device.
@CoreActor
final class Preference<Option: Codable & RawRepresentable<String> & Equatable & Sendable> {
  let value: Out<Option>

  private let setting: String
  private let settings: any SettingsRepository
  private let unset: Option
  private let saving: EffectHandle
  /// True once the user has chosen: what is being loaded is then out of date.
  private var isChosen = false

  /// Creates a preference of the scope that is being created.
  /// - Parameter unset: The choice that is not saved.
  init(_ unset: Option, _ setting: String, in settings: any SettingsRepository) {
    // After a restart, the app starts in the right language, before the choice is loaded.
    let kept = Kept(unset, name: setting)
    value = Out(kept.value)
    self.setting = setting
    self.settings = settings
    self.unset = unset
    saving = Effects().task(name: setting)
    value.observe { kept.value = $0 }
  }

  /// Shows the choice among the saved settings.
  func show(_ saved: [String: String]) {
    if !isChosen { value.value = saved[setting].flatMap(Option.init) ?? unset }
  }

  /// Follows a choice at once, and saves it. Undoes it if that fails.
  func choose(_ option: Option, catch handle: @escaping ErrorHandler) {
    isChosen = true
    saving.optimistic(
      from: value.value, to: option, outlivesScreen: true, show: { [value] in value.value = $0 },
      save: { [settings, setting, unset] in
        try await settings.set(setting, to: $0 == unset ? nil : $0.rawValue, as: .device)
      }, catch: handle)
  }
}

/// The state of the text that says what the app is for.
enum WelcomeState: String, Codable, Sendable {
  case unread, read
}

/// The language of the app.
enum LanguageOption: String, Codable, CaseIterable, Sendable {
  /// That of the device.
  case system
  case en, ko

  var tag: LanguageTag? { self == .system ? nil : LanguageTag(rawValue) }
}

/// The appearance of the app.
enum AppearanceOption: String, Codable, CaseIterable, Sendable {
  /// That of the device.
  case system
  case light, dark

  /// nil for the appearance of the device.
  var isDark: Bool? { self == .system ? nil : self == .dark }
}
