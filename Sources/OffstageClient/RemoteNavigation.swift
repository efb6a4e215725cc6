internal import OffstageJSON

/// The screens on display: a root, sheets and covers over it, and modals on top of everything.
public struct RemoteNavigation: Hashable, Sendable {
  /// The bottom of the navigation.
  public enum Root: Hashable, Sendable {
    /// The ids of the screens, the topmost last.
    case stack([String])
    /// Tabs, each with its own stack, and the id of the selected tab.
    case tabs([Tab], selected: String)
  }

  /// A tab and its stack.
  public struct Tab: Hashable, Identifiable, Decodable, Sendable {
    /// The id, for ``RemoteCore/selectTab(_:)``.
    public let id: String
    /// The title to display.
    public let title: String
    /// The name of a symbol.
    public let icon: String
    /// A short text on the icon, such as a number of unread messages.
    public let badge: String?
    /// The ids of the screens, the topmost last.
    public let screens: [String]
  }

  /// A sheet or a full-screen cover with its own stack.
  public struct Presentation: Hashable, Identifiable, Sendable {
    /// The id, for ``RemoteCore/dismiss(presentation:)``.
    public let id: String
    /// False for a sheet.
    public let isFullScreen: Bool
    /// The heights of a sheet, such as `medium`.
    public let detents: [String]
    /// The ids of the screens, the topmost last.
    public let screens: [String]
  }

  /// A screen over a tinted background, on top of everything.
  public struct Modal: Hashable, Identifiable, Sendable {
    /// The id, for ``RemoteCore/dismiss(presentation:)``.
    public let id: String
    /// The id of the screen.
    public let screen: String
    /// The color of the background, such as `#000000`.
    public let color: String
    /// The opacity of the background, from 0 to 1.
    public let opacity: Double
    /// True if a tap on the background closes the modal.
    public let dismissesOnTap: Bool
  }

  /// A stack or tabs.
  public let root: Root
  /// The sheets and covers, the topmost last.
  public let presented: [Presentation]
  /// The modals, the topmost last.
  public let modals: [Modal]

  init(_ value: Value) {
    let root = value["root"]
    self.root =
      root["type"].string == "tabs"
      ? .tabs((try? root["tabs"].decode()) ?? [], selected: root["selected"].string ?? "")
      : .stack(root["screens"].strings)
    presented =
      value["presented"].array?.map { presentation in
        Presentation(
          id: presentation["id"].string ?? "",
          isFullScreen: presentation["style"].string == "fullScreenCover",
          detents: presentation["detents"].strings, screens: presentation["screens"].strings)
      } ?? []
    modals =
      value["modals"].array?.map { modal in
        let background = modal["background"]
        return Modal(
          id: modal["id"].string ?? "", screen: modal["screen"].string ?? "",
          color: background["color"].string ?? "#000000",
          opacity: background["opacity"].double ?? 0,
          dismissesOnTap: background["dismissesOnTap"].bool ?? true)
      } ?? []
  }

  /// The stack of the root, or of its selected tab.
  public var stack: [String] {
    switch root {
    case .stack(let screens): screens
    case .tabs(let tabs, let selected): tabs.first { $0.id == selected }?.screens ?? []
    }
  }

  /// The ids of the visible screens, the topmost first.
  ///
  /// Screens below a sheet or modal are visible; those below a full-screen cover, or below the top
  /// of a stack, are not.
  public var visible: [String] {
    var screens = modals.reversed().map(\.screen)
    for presentation in presented.reversed() {
      screens += presentation.screens.suffix(1)
      if presentation.isFullScreen { return screens }
    }
    return screens + stack.suffix(1)
  }
}

extension Value {
  var strings: [String] { array?.compactMap(\.string) ?? [] }
}
