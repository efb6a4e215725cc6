#if canImport(SwiftUI)
  public import OffstageClient
  public import SwiftUI

  /// The app: its tabs or stack, presentations, modals, and prompts.
  public struct RootView: View {
    private let core: RemoteCore
    @State private var asking: Asking
    @State private var news = News()

    /// - Parameter device: The device whose options the core has been created with.
    public init(core: RemoteCore, device: any Device) {
      self.core = core
      _asking = State(initialValue: Asking(core: core, device: device))
    }

    public var body: some View {
      VStack(spacing: 0) {
        ScopeView(core: core)
        root
      }
      .presents(core, at: 0)
      .task { await news.follow(core) }
      // A text may come from elsewhere, so its links are asked for.
      .environment(
        \.openURL,
        OpenURLAction { url in
          asking.follow(url.absoluteString)
          return .handled
        }
      )
      .environment(asking)
      .environment(news)
    }

    @ViewBuilder private var root: some View {
      switch core.document.navigation.root {
      case .stack(let screens): StackView(screens: screens, core: core)
      case .tabs(let tabs, let selected):
        TabView(
          selection: Binding(get: { selected }, set: { Steps(core: core).select($0) })
        ) {
          ForEach(tabs) { tab in
            StackView(screens: tab.screens, core: core)
              .tabItem { Label(tab.title, systemImage: tab.icon) }
              .badge(tab.badge.map { Text($0) })
              .tag(tab.id)
          }
        }
      }
    }
  }

  extension RemoteCore {
    /// The presentation at a depth; setting it to nil asks the core to dismiss it.
    fileprivate func presented(_ depth: Int) -> Binding<RemoteNavigation.Presentation?> {
      Binding(
        get: { self.document.navigation.presented.dropFirst(depth).first },
        set: { new in
          let current = self.document.navigation.presented.dropFirst(depth).first
          if new == nil, let current { Steps(core: self).dismiss(current.id) }
        })
    }
  }

  extension View {
    /// Shows what lies over this view: the next sheet or cover or, without one, the modals, the
    /// messages, and the questions, which a sheet would cover.
    /// - Parameter depth: The number of sheets and covers below the view.
    fileprivate func presents(_ core: RemoteCore, at depth: Int) -> some View {
      modifier(TopLayer(core: core, depth: depth))
    }
  }

  private struct TopLayer: ViewModifier {
    let core: RemoteCore
    let depth: Int
    @Environment(News.self) private var news

    func body(content: Content) -> some View {
      ZStack {
        content
        if core.document.navigation.presented.count == depth {
          ForEach(core.document.navigation.modals) { ModalView(modal: $0, core: core) }
          VStack {
            Spacer()
            NewsView(news: news)
          }
          if let ended = core.ended, core.handshake != nil { EndedView(ended: ended, core: core) }
        }
      }
      .sheet(item: core.presented(depth)) {
        PresentedView(presentation: $0, depth: depth + 1, core: core)
      }
      .asks(core, at: depth)
    }
  }

  /// A sheet or a cover, and any presentation on top of it.
  private struct PresentedView: View {
    let presentation: RemoteNavigation.Presentation
    /// The number of sheets and covers, this one included.
    let depth: Int
    let core: RemoteCore

    var body: some View {
      VStack(spacing: 0) {
        ScopeView(core: core)
        StackView(screens: presentation.screens, core: core)
      }
      .presents(core, at: depth)
      .presentationDetents(detents)
      .interactiveDismissDisabled(presentation.isFullScreen)
    }

    private var detents: Set<PresentationDetent> {
      let known: [String: PresentationDetent] = ["medium": .medium, "large": .large]
      let found = Set(presentation.detents.compactMap { known[$0] })
      return found.isEmpty ? [.large] : found
    }
  }

  /// A stack that follows the core's path.
  private struct StackView: View {
    let screens: [String]
    let core: RemoteCore

    var body: some View {
      NavigationStack(path: path) {
        content(screens.first)
          .navigationDestination(for: String.self) { content($0) }
      }
    }

    private var path: Binding<[String]> {
      Binding(
        get: { Array(screens.dropFirst()) },
        set: { Steps(core: core).shorten(screens, to: screens.prefix(1) + $0) })
    }

    @ViewBuilder private func content(_ id: String?) -> some View {
      if let screen = id.flatMap({ core.document.screens[$0] }) {
        ScreenView(screen: screen, core: core)
      }
    }
  }

  private struct ModalView: View {
    let modal: RemoteNavigation.Modal
    let core: RemoteCore

    var body: some View {
      ZStack {
        color.opacity(modal.opacity)
          .ignoresSafeArea()
          .onTapGesture { if modal.dismissesOnTap { Steps(core: core).dismiss(modal.id) } }
        if let screen = core.document.screens[modal.screen] {
          VStack(spacing: 0) {
            ScopeView(core: core)
            // Only a stack draws the title of a screen.
            NavigationStack { ScreenView(screen: screen, core: core) }
          }
          .frame(maxWidth: 360, maxHeight: 480)
        }
      }
    }

    private var color: Color {
      let parts = Int(modal.color.dropFirst(), radix: 16) ?? 0
      let part = { (shift: Int) in Double(parts >> shift & 0xFF) / 0xFF }
      return Color(red: part(16), green: part(8), blue: part(0))
    }
  }

  /// Reports that the core has stopped, and restarts it.
  private struct EndedView: View {
    let ended: CoreEnded
    let core: RemoteCore

    var body: some View {
      VStack(spacing: 12) {
        Text(ended.description)
        SwiftUI.Button("Start again") { Task { try? await core.restart() } }
      }
      .padding()
      .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 12))
    }
  }
#endif
