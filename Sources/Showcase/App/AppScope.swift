import Offstage

/// The state that outlives the screens and that they share: the session, the reminders, the running
/// replies, the library's changes, and the user's location.
final class AppScope: Scope {
  struct Input: Ports {}

  struct Output: Ports {
    /// The signed-in account; nil for a guest.
    let account = Out<Account?>(nil)
    /// The number of chats with a running reply.
    let runningReplies = Out(0)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  /// True once the core knows that no account is signed in.
  let isGuest = Out(false)
  /// Fires after an account signs in or out.
  let switches = Relay<Trigger>()
  let conversations = Conversations()
  let library: LibraryRecords
  let reminders: Reminders
  let userLocation = UserLocation()

  private let session: any SessionRepository
  private let router: any AppScopeRouter
  private let tabs = Tabs()
  private lazy var refreshing = effects.task(.latest)
  /// True once loading the account has succeeded or failed.
  private var isReady = false
  /// True if a link needs an account and it is not yet known whether one is signed in.
  private var needsAccount = false
  private var openInvitations = 0

  init(
    session: any SessionRepository, chats: any ChatRepository, library: any LibraryRepository,
    reminders: Reminders, router: any AppScopeRouter
  ) {
    self.session = session
    self.reminders = reminders
    self.router = router
    self.library = LibraryRecords(library, effects)
    output.runningReplies.bind(conversations.runningReplies)
    tabs.bindBadge(of: "chats", to: output.runningReplies.map { $0 == 0 ? nil : "\($0)" })
    effects.run { [self] in
      defer { isReady = true }
      set(try await session.account())
    }
    effects.run {
      // The app may have quit before a deletion became final.
      try await chats.purgeDeletedChats()
    } catch: { _ in
      // The next deletion tries again.
    }
  }

  private func set(_ account: Account?) {
    output.account.value = account
    isGuest.value = account == nil
    if needsAccount, isGuest.value { invite() }
    needsAccount = false
  }

  /// Shows the data of another account, or of the guest.
  func show(_ account: Account?) {
    set(account)
    conversations.invalidate()
    library.invalidate()
    reminders.accountSwitched()
    switches.send(Trigger())
  }

  /// Reloads the account and shows it, since another process of the app may have changed it.
  /// - Throws: The errors of `SessionRepository.account()`.
  func reload() async throws -> Account? {
    let known = output.account.value
    let account = try await session.account()
    // This process may have changed it in the meantime.
    guard isReady, output.account.value == known else { return account }
    if account?.id == known?.id { set(account) } else { show(account) }
    return account
  }

  func refresh() {
    refreshing.run { [self] in
      _ = try await reload()
    } catch: { _ in
      // The next appearance tries again.
    }
  }

  func mayOpen(_ link: Link) -> Bool {
    isReady && (!link.isPrivate || output.account.value != nil)
  }

  func linkWaits(_ link: Link) {
    guard link.isPrivate else { return }
    if isGuest.value { invite() } else { needsAccount = true }
  }

  // MARK: The invitation to create an account

  /// Invites the guest, unless an invitation is open.
  private func invite() {
    if openInvitations == 0 { router.showCreateAccount {} }
  }

  func invitationOpened() { openInvitations += 1 }

  /// Forgets the link that waits for an account, if the guest has declined to create one.
  func invitationClosed() {
    openInvitations -= 1
    if output.account.value == nil { router.declineLink() }
  }
}

@CoreActor
protocol AppScopeRouter {
  func showCreateAccount(onDisappear: @escaping @CoreActor () -> Void)
  /// Forgets the link that waits.
  func declineLink()
}
