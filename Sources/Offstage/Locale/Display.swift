/// The user's choices in the app, which override those of the device.
package struct DisplaySettings: Codable, Hashable, Sendable {
  /// The language of all texts; nil for that of the front end.
  package var language: LanguageTag?
  /// nil for that of the device.
  package var appearance: Appearance?

  package init() {}
}

/// The brightness of the screen's background.
public enum Appearance: String, Codable, CaseIterable, Sendable {
  case light, dark
}

/// Binds the language and the appearance of the app to what the user has chosen in its settings, and
/// the badges of the tabs to the state of the app.
/// ```swift
/// private let display = Display()
///
/// display.bindLanguage(to: output.settings.map(\.language))
/// display.bindAppearance(to: output.settings.map(\.appearance))
/// display.bindBadge(of: "chats", to: output.unread.map { $0 == 0 ? nil : "\($0)" })
/// ```
/// Every text follows the language at once, as after a change of the front end's locale. The front
/// end reads the titles of the app again, and draws itself in the appearance.
@CoreActor
public struct Display {
  private let node: ScreenNode

  /// Creates the display of the app whose scope or screen is being created, as
  /// ``Effects/init(fileID:line:)`` does.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    node = ScreenNode.beingCreated(for: "Display()", fileID, line)
  }

  /// Shows the app in the current and every later language of a source; nil for the front end's.
  public func bindLanguage(to source: some Source<LanguageTag?>) {
    source.observe { [node] in node.core.display.language = $0 }
  }

  /// Shows the app in the current and every later appearance of a source; nil for the device's.
  public func bindAppearance(to source: some Source<Appearance?>) {
    source.observe { [node] in node.core.display.appearance = $0 }
  }

  /// Shows the current and every later value of a source on a tab's icon; nil for no badge.
  public func bindBadge(of tab: String, to source: some Source<String?>) {
    source.observe { [core = node.core] badge in
      core.updateTabs { core.tabLabels[tab, default: TabLabel()].badge = badge }
    }
  }
}
