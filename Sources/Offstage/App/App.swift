/// An app without its screen: where it starts, how each of its screens is made, and what they need.
public struct App: Sendable {
  /// Where the app starts.
  public enum Root: Sendable {
    /// One stack of screens.
    case stack(Route)
    /// Tabs with a stack each; the first is selected.
    case tabs([Tab])
  }

  /// Where the app starts; `--root` swaps it for one screen alone.
  public var root: Root
  /// What the factories hand to the screens.
  public var dependencies: Dependencies
  /// The URLs that it opens; the first that matches counts.
  public let links: [Link]
  /// The prompts that the app asks, beside alerts and confirmation dialogs.
  public let prompts: [PromptDescription]
  package let factories: [String: ScreenFactory]
  /// The factories in the order of their registration.
  package let screens: [ScreenFactory]

  /// - Parameters:
  ///   - links: the URLs it opens; the first that matches counts.
  ///   - prompts: what it may ask of the person or the device, for its description.
  ///   - screens: one factory for each kind; two of one kind stop the program.
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
  /// What the tab is selected by, and its name on the wire.
  public let id: String
  /// What stands under the symbol.
  public let title: String
  /// The name of a symbol that the front end knows how to draw.
  public let icon: String
  /// The screen at the bottom of its stack.
  public let route: Route

  /// A tab that begins with the screen of `route`.
  public init(_ id: String, title: String, icon: String, _ route: Route) {
    self.id = id
    self.title = title
    self.icon = icon
    self.route = route
  }
}
