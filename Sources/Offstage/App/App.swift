/// An app without its screen: where it starts, how each of its screens is made, and what they need.
public struct App: Sendable {
  /// Where the app starts.
  public enum Root: Sendable {
    /// One stack of screens.
    case stack(Route)
    /// Tabs with a stack each; the first is selected.
    case tabs([Tab])
  }

  public var root: Root
  public var dependencies: Dependencies
  public let links: [Link]
  /// The prompts that the app asks, beside alerts and confirmation dialogs.
  public let prompts: [PromptDescription]
  package let factories: [String: ScreenFactory]
  /// The factories in the order of their registration.
  package let screens: [ScreenFactory]

  /// - Parameters:
  ///   - links: the URLs it opens; the first that matches counts.
  ///   - prompts: what it may ask of the person or the device, for its description.
  ///   - screens: one factory for each kind.
  public init(
    root: Root, dependencies: Dependencies = Dependencies(), links: [Link] = [],
    prompts: [PromptDescription] = [], screens: [ScreenFactory]
  ) {
    self.root = root
    self.dependencies = dependencies
    self.links = links
    self.prompts = prompts
    self.screens = screens
    factories = Dictionary(screens.map { ($0.kind, $0) }) { first, _ in
      preconditionFailure("two factories make the screen \"\(first.kind)\"")
    }
  }
}

/// A tab: a stack of its own beside others.
public struct Tab: Sendable {
  public let id: String
  public let title: String
  /// The name of a symbol that the front end knows how to draw.
  public let icon: String
  public let route: Route

  public init(_ id: String, title: String, icon: String, _ route: Route) {
    self.id = id
    self.title = title
    self.icon = icon
    self.route = route
  }
}
