import Offstage

/// The account, the badge, and the sync, which outlive screens.
final class AppScope: Scope {
  struct Input: Ports {}

  struct Output: Ports {
    let email = Out<String?>(nil)
    let openCount = Out(0)
    let sync = Out(SyncState(), .kept)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  let store: Store
  private let router = Router()
  /// The user's choice in the settings; nil for the appearance of the device.
  let isDark = Out<Bool?>(nil)
  /// True while the user's screens are shown.
  private let isSignedIn = Kept(false)
  private lazy var sync = effects.task(.keepFirst)
  private lazy var alerts = effects.task(.queue)

  init(store: Store) {
    self.store = store
    isDark.value = store.content.theme.isDark
    Display().bindAppearance(isDark: isDark)
    Display().bindBadge(of: "issues", to: output.openCount.map { $0 == 0 ? nil : "\($0)" })
    output.openCount.value = store.openCount
    store.changes.observe { [output] _ in output.openCount.value = store.openCount }
    store.file.failure.observe { [self] in if let failure = $0 { show(failure) } }
    sync.onRestart("sync") { [self] in startSync(from: output.sync.value.part) }
    guard isSignedIn.value else { return }
    output.email.value = store.email
    // A restart has cut the sign-out.
    if store.email == nil { effects.run { [self] in start() } }
  }

  /// Seconds since 1970.
  var now: Int { Int(effects.now.components.seconds) }

  /// Returns false for a private link until the user has signed in.
  func mayOpen(_ link: Link) -> Bool { !link.isPrivate || output.email.value != nil }

  /// Shows the user's first screens, or the sign-in.
  func start() {
    output.email.value = store.email
    isSignedIn.value = store.email != nil
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
    alerts.run { [effects] in
      _ = try? await effects.ask(.alert(Dialog("Error", "\(error)")))
    }
  }

  func startSync(from first: Int = 1) {
    sync.run { [self] in
      for part in first...SyncState.parts {
        output.sync.value = SyncState(phase: .running, part: part)
        try await effects.sleep(for: .milliseconds(250))
        try await store.pull(part)
      }
      output.sync.value = SyncState(phase: .done, part: SyncState.parts + 1)
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

  static let parts = 4

  /// The part that is being pulled, from 1.
  var part: Int { Int(progress * Double(Self.parts)) + 1 }
}

extension SyncState {
  init(phase: Phase, part: Int) {
    self.init(phase: phase, progress: Double(part - 1) / Double(Self.parts))
  }
}
