package import OffstageJSON

extension Core {
  /// The member `navigation` of the document.
  package var navigationJSON: JSON {
    [
      "root": rootJSON, "presented": .array(navigation.presentedJSON(from: 0)),
      "modals": .array(navigation.modalsJSON(from: 0)),
    ]
  }

  package var rootJSON: JSON { navigation.rootJSON(label(of:)) }

  /// The root without the screens on its stacks.
  package var emptyRootJSON: JSON { navigation.rootJSON(label(of:)) { _ in [] } }

  private func label(of tab: String) -> (title: String, badge: String?) {
    let label = tabLabels[tab] ?? TabLabel()
    return (label.title(userLocale.language), label.badge)
  }

  /// Changes what the titles and badges of the tabs depend on.
  func updateTabs(_ update: () -> Void) {
    let before = emptyRootJSON
    update()
    if emptyRootJSON != before { change { $0.navigation.root = true } }
  }
}

/// The texts on a tab. A badge outlives a change of the root.
struct TabLabel {
  var title: LocalizedText = ""
  /// A short text on the icon, such as a number of unread messages.
  var badge: String?
}

extension Navigation {
  /// - Parameters:
  ///   - label: Returns the texts on a tab by its id.
  ///   - screens: Returns the screens on a stack.
  func rootJSON(
    _ label: (_ tab: String) -> (title: String, badge: String?),
    screens: (Stack) -> JSON = \.screens.json
  ) -> JSON {
    let stacks = stacks[..<firstPresentation]
    guard let selectedTab else {
      return ["type": "stack", "screens": stacks.first.map(screens) ?? []]
    }
    let tabs: [JSON] = stacks.compactMap { stack in
      guard case .tab(let id, let icon) = stack.kind else { return nil }
      let (title, badge) = label(id)
      return [
        "id": .string(id), "title": .string(title), "icon": .string(icon),
        "badge": badge.map { .string($0) } ?? .null, "screens": screens(stack),
      ]
    }
    return ["type": "tabs", "selected": .string(selectedTab), "tabs": .array(tabs)]
  }

  /// - Parameter index: The first screen to return, counted from the lowest.
  package func screensJSON(of stack: Int, from index: Int) -> [JSON] {
    stacks[stack].screens.dropFirst(index).map(\.json)
  }

  /// - Parameter index: The first presentation to return, counted from the lowest.
  package func presentedJSON(from index: Int) -> [JSON] {
    stacks.dropFirst(firstPresentation + index).compactMap(\.presentedJSON)
  }

  /// - Parameter index: The first modal to return, counted from the lowest.
  package func modalsJSON(from index: Int) -> [JSON] { modals.dropFirst(index).map(\.json) }
}

extension Navigation.Stack {
  /// nil for a stack of the root.
  fileprivate var presentedJSON: JSON? {
    switch kind {
    case .root, .tab, .presentation(_, .modal, _): nil
    case .presentation(let id, .sheet(let detents), _):
      [
        "id": .string(id), "style": "sheet",
        "detents": .array(detents.map { .string($0.rawValue) }), "screens": screens.json,
      ]
    case .presentation(let id, .fullScreenCover, _):
      ["id": .string(id), "style": "fullScreenCover", "screens": screens.json]
    }
  }
}

extension Navigation.Modal {
  fileprivate var json: JSON {
    ["id": .string(id), "screen": screen.json, "background": JSON(encoding: background)]
  }
}

extension NavigationCommand {
  package var json: JSON {
    var object: JSONObject = ["type": .string(kind.rawValue), "screens": screens.json]
    if let tab { object["tab"] = .string(tab) }
    if let presentation { object["presentation"] = .string(presentation) }
    if let modal { object["modal"] = .string(modal) }
    if let transition { object["transition"] = JSON(encoding: transition) }
    return .object(object)
  }
}

extension ScreenID {
  fileprivate var json: JSON { .string(description) }
}

extension [ScreenID] {
  fileprivate var json: JSON { .array(map(\.json)) }
}
