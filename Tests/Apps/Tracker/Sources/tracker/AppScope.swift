import Offstage

/// The account, the badge, and the sync, which outlive screens.
final class AppScope: Scope {
  struct Input: Ports {}

  struct Output: Ports {
    let email = Out<String?>(nil)
    let openCount = Out(0)
    let sync = Out(SyncState())
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  let store: Store
  private let router = Router()
  private let prompts = Prompts()
  /// The user's choice in the settings; nil for that of the device.
  let appearance = Out<Appearance?>(nil)
  private lazy var sync = effects.task(.keepFirst)
  private lazy var alerts = effects.task(.queue)

  init(store: Store) {
    self.store = store
    Tabs().bindBadge(of: "issues", to: output.openCount.map { $0 == 0 ? nil : "\($0)" })
    appearance.value = Appearance(store.content.theme)
    Display().bindAppearance(to: appearance)
    output.openCount.value = store.openCount
    store.changes.observe { [output] _ in output.openCount.value = store.openCount }
    store.file.failure.observe { [self] in if let failure = $0 { show(failure) } }
  }

  /// Seconds since 1970.
  var now: Int { Int(effects.now.components.seconds) }

  /// Returns false for a private link until the user has signed in.
  func mayOpen(_ link: Link) -> Bool { !link.isPrivate || output.email.value != nil }

  /// Shows the user's first screens, or the sign-in.
  func start() {
    output.email.value = store.email
    var root = App.Root.stack(Route(SignIn.self))
    if output.email.value != nil {
      root = .tabs([
        Tab("issues", title: "Issues", icon: "checklist", Route(IssueList.self)),
        Tab("settings", title: "Settings", icon: "gear", Route(Settings.self)),
      ])
    }
    do { try router.setRoot(root) } catch { show(error) }
  }

  func signOut() {
    sync.cancel()
    effects.run { [self] in
      try await store.signOut()
      start()
    } catch: { [self] in
      show($0)
    }
  }

  /// Shows an error, or signs out if the session has ended.
  func show(_ error: any Error) {
    if error as? IssueError == .signedOut { return signOut() }
    alerts.run { [prompts] in
      _ = try? await prompts.ask(.alert(Dialog("Error", "\(error)")))
    }
  }

  func startSync() {
    sync.run { [self] in
      for part in 1...4 {
        output.sync.value = SyncState(phase: .running, progress: Double(part - 1) / 4)
        try await effects.sleep(for: .milliseconds(250))
        try await store.pull(part)
      }
      output.sync.value = SyncState(phase: .done, progress: 1)
    } catch: { [output] in
      output.sync.value = SyncState(phase: .failed, message: "\($0)")
    }
  }

  func cancelSync() {
    sync.cancel()
    output.sync.value = SyncState()
  }
}

struct SyncState: Codable, Equatable, Sendable {
  enum Phase: String, Codable, CaseIterable, Sendable { case idle, running, failed, done }

  var phase = Phase.idle
  /// From 0 to 1.
  var progress = 0.0
  var message: String?
}

extension Appearance {
  /// nil for that of the device.
  init?(_ theme: Store.Theme) { self.init(rawValue: theme.rawValue) }
}
