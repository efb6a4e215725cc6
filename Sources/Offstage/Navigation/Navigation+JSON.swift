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

/// The texts on a tab. Bound titles and badges outlive a change of the root.
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
    var root: JSON = [:]
    var tabs: [JSON] = []
    var presented: [JSON] = []
    for stack in stacks {
      switch stack.kind {
      case .root: root = ["type": "stack", "screens": stack.screens.json]
      case .tab(let id, let icon):
        let (title, badge) = label(id)
        tabs.append([
          "id": .string(id), "title": .string(title), "icon": .string(icon),
          "badge": badge.map { .string($0) } ?? .null, "screens": stack.screens.json,
        ])
      case .presentation(let id, .sheet(let detents), _):
        presented.append([
          "id": .string(id), "style": "sheet",
          "detents": .array(detents.map { .string($0.rawValue) }), "screens": stack.screens.json,
        ])
      case .presentation(let id, .fullScreenCover, _):
        presented.append([
          "id": .string(id), "style": "fullScreenCover", "screens": stack.screens.json,
        ])
      }
    }
    if let selectedTab {
      root = ["type": "tabs", "selected": .string(selectedTab), "tabs": .array(tabs)]
    }
    return [
      "root": root, "presented": .array(presented), "modals": .array(modals.map(\.json)),
    ]
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
