#if canImport(SwiftUI)
  public import OffstageClient
  public import SwiftUI

  /// The app: its tabs or stack, presentations, modals, and prompts.
  public struct RootView: View {
    private let core: RemoteCore
    @State private var asking: Asking

    /// - Parameter device: The device whose options the core has been created with.
    public init(core: RemoteCore, device: any Device) {
      self.core = core
      _asking = State(initialValue: Asking(core: core, device: device))
    }

    public var body: some View {
      ZStack {
        VStack(spacing: 0) {
          ScopeView(core: core)
          root
        }
        ForEach(core.document.navigation.modals) { modal in
          ModalView(modal: modal, core: core)
        }
        VStack {
          Spacer()
          NewsView(core: core)
        }
        if let ended = core.ended, core.handshake != nil { EndedView(ended: ended, core: core) }
      }
      .sheet(item: presented(0)) { PresentedView(presentation: $0, depth: 0, core: core) }
      .asks(core, at: 0)
      // A text may come from elsewhere, so its links are asked for.
      .environment(
        \.openURL,
        OpenURLAction { url in
          asking.follow(url.absoluteString)
          return .handled
        }
      )
      .environment(asking)
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
              .tabItem { Text(tab.title) }
              .badge(tab.badge.map { Text($0) })
              .tag(tab.id)
          }
        }
      }
    }

    private func presented(_ depth: Int) -> Binding<RemoteNavigation.Presentation?> {
      core.presented(depth)
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

  /// A sheet or a cover, and any presentation on top of it.
  private struct PresentedView: View {
    let presentation: RemoteNavigation.Presentation
    let depth: Int
    let core: RemoteCore

    var body: some View {
      VStack(spacing: 0) {
        ScopeView(core: core)
        StackView(screens: presentation.screens, core: core)
      }
      .sheet(item: core.presented(depth + 1)) {
        PresentedView(presentation: $0, depth: depth + 1, core: core)
      }
      .asks(core, at: depth + 1)
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
        Color.black.opacity(modal.opacity)
          .onTapGesture { if modal.dismissesOnTap { Steps(core: core).dismiss(modal.id) } }
        if let screen = core.document.screens[modal.screen] {
          VStack(spacing: 0) {
            ScopeView(core: core)
            ScreenView(screen: screen, core: core)
          }
          .frame(maxWidth: 360, maxHeight: 480)
        }
      }
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
