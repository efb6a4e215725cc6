package import OffstageJSON

extension Navigation {
  /// The member `navigation` of the document.
  package var json: JSON {
    [
      "root": rootJSON,
      "presented": .array(presented.map(\.json)),
      "modals": .array(modals.map(\.json)),
    ]
  }
}

extension Navigation {
  fileprivate var rootJSON: JSON {
    switch root {
    case .stack(let screens): ["type": "stack", "screens": screens.json]
    case .tabs(let selected, let tabs):
      ["type": "tabs", "selected": .string(selected), "tabs": .array(tabs.map(json))]
    }
  }

  private func json(_ tab: TabStack) -> JSON {
    let label = tabLabels[tab.id]
    return [
      "id": .string(tab.id), "title": .string(label?.title ?? tab.title),
      "icon": .string(tab.icon), "badge": label?.badge.map { .string($0) } ?? .null,
      "screens": tab.screens.json,
    ]
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
