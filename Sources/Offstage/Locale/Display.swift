/// The user's choices in the app, which override those of the device.
package struct DisplaySettings: Codable, Hashable, Sendable {
  /// The language of all texts; nil for that of the front end.
  package var language: LanguageTag?
  /// nil for that of the device.
  package var appearance: Appearance?

  package init() {}
}

/// The brightness of the screen's background.
package enum Appearance: String, Codable, CaseIterable, Sendable {
  case light, dark
}

/// The display of the user: its language and time zone, its appearance, and the badges on its tabs.
///
/// A derived output that reads ``locale`` is evaluated again after a change. That is all it takes for a
/// text to follow the user's language: a front end that takes over may speak another one.
/// ```swift
/// private let display = Display()
///
/// output.title.derive { [display] in display.locale.language.language == "ko" ? "지도" : "Map" }
/// ```
/// It can be bound to what the user has chosen in the settings of the app, and to the app's state:
/// ```swift
/// display.bindLanguage(to: output.settings.map(\.language))
/// display.bindAppearance(isDark: output.settings.map(\.isDark))
/// display.bindBadge(of: "chats", to: output.unread.map { $0 == 0 ? nil : "\($0)" })
/// ```
/// Every text follows the language at once, as after a change of the front end's locale. The front
/// end reads the titles of the app again, and draws itself in the appearance.
@CoreActor
public struct Display {
  private let node: ScreenNode
  private let cell: LocaleCell

  /// Creates the display for the screen or scope that is being created, as
  /// ``Effects/init(fileID:line:)`` does.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    node = ScreenNode.beingCreated(for: "Display()", fileID, line)
    cell = node.core.locale
  }

  /// The user's locale.
  public var locale: UserLocale { cell.value }

  /// The user's locale, now and after every change.
  public var locales: Signal<UserLocale> { Signal(cell.changes) { [cell] in cell.value } }

  /// Shows the app in the current and every later language of a source; nil for the front end's.
  public func bindLanguage(to source: some Source<LanguageTag?>) {
    source.observe { [node] in node.core.display.language = $0 }
  }

  /// Shows the app dark or light, as the current and every later value of a source says; nil for the
  /// device's appearance.
  public func bindAppearance(isDark source: some Source<Bool?>) {
    source.observe { [node] in node.core.display.appearance = $0.map { $0 ? .dark : .light } }
  }

  /// Shows the current and every later value of a source on a tab's icon; nil for no badge.
  public func bindBadge(of tab: String, to source: some Source<String?>) {
    source.observe { [core = node.core] badge in
      core.updateTabs { core.tabLabels[tab, default: TabLabel()].badge = badge }
    }
  }
}
