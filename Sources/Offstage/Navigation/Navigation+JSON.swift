package import OffstageJSON

extension Core {
  /// The member `navigation` of the document.
  package var navigationJSON: JSON {
    navigation.json { [userLocale] id in
      let label = tabLabels[id] ?? TabLabel()
      return (label.boundTitle ?? label.title(userLocale.language), label.badge)
    }
  }

  /// Changes what the titles and badges of the tabs depend on.
  func updateTabs(_ update: () -> Void) {
    let before = navigationJSON
    update()
    if navigationJSON != before { change { $0.navigation = true } }
  }
}

/// The texts on a tab. Those that the app has bound outlive a change of the root.
struct TabLabel {
  /// The title of the tab in the current root.
  var title: LocalizedText = ""
  var boundTitle: String?
  /// A short text on the icon, such as a number of unread messages.
  var badge: String?
}

extension Navigation {
  /// - Parameter label: Returns the texts on a tab by its id.
  func json(_ label: (_ tab: String) -> (title: String, badge: String?)) -> JSON {
    [
      "root": rootJSON(label),
      "presented": .array(presented.map(\.json)),
      "modals": .array(modals.map(\.json)),
    ]
  }

  private func rootJSON(_ label: (String) -> (title: String, badge: String?)) -> JSON {
    switch root {
    case .stack(let screens):
      return ["type": "stack", "screens": screens.json]
    case .tabs(let selected, let tabs):
      let tabs = tabs.map { tab -> JSON in
        let (title, badge) = label(tab.id)
        return [
          "id": .string(tab.id), "title": .string(title), "icon": .string(tab.icon),
          "badge": badge.map { .string($0) } ?? .null, "screens": tab.screens.json,
        ]
      }
      return ["type": "tabs", "selected": .string(selected), "tabs": .array(tabs)]
    }
  }
}

extension Navigation.Presentation {
  fileprivate var json: JSON {
    switch style {
    case .sheet(let detents):
      [
        "id": .string(id), "style": "sheet",
        "detents": .array(detents.map { .string($0.rawValue) }), "screens": screens.json,
      ]
    case .fullScreenCover:
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
