import Offstage

/// The state that outlives the screens and that they share: the session, the reminders, the running
/// replies, the library's changes, the user's location, the newest search, and the preferences.
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

  let session: Session
  let conversations = Conversations()
  let library: LibraryRecords
  let reminders: Reminders
  let display: DisplayPreferences
  /// nil until the device has answered.
  let userLocation = Out<Coordinate?>(nil)
  /// The text of the newest search for places, with which the search opens again.
  let placeSearchText = Out("")
  let recentSearches: RecentSearches
  /// True once the chats have been purged since the newest deletion here.
  let hasPurged = Kept(false)

  private let chats: any ChatRepository
  private let router: any AppScopeRouter
  private let keptLocation = Kept<Coordinate?>(nil)
  private let keptSearchText = Kept("")
  /// True once loading the account has succeeded or failed.
  private var isReady = false
  /// True if a link needs an account and it is not yet known whether one is signed in.
  private let needsAccount = Kept(false)
  private var openInvitations = 0

  init(
    session: Session, chats: any ChatRepository, library: any LibraryRepository,
    reminders: Reminders, display: DisplayPreferences, settings: any SettingsRepository,
    router: any AppScopeRouter
  ) {
    self.session = session
    self.chats = chats
    self.display = display
    self.reminders = reminders
    self.router = router
    self.library = LibraryRecords(library, session, effects)
    recentSearches = RecentSearches(settings, session, effects)
    output.account.bind(session.account)
    output.runningReplies.bind(conversations.runningReplies)
    Display().bindBadge(of: "chats", to: output.runningReplies.map { $0 == 0 ? nil : "\($0)" })
    session.switches.observe { [self] (_: Trigger) in
      conversations.invalidate()
      self.library.invalidate()
      reminders.accountSwitched()
      placeSearchText.value = ""
    }
    userLocation.value = keptLocation.value
    userLocation.observe { [keptLocation] in keptLocation.value = $0 }
    placeSearchText.value = keptSearchText.value
    placeSearchText.observe { [keptSearchText] in keptSearchText.value = $0 }
    session.isGuest.observe { [self] in
      guard $0, needsAccount.value else { return }
      invite()
      needsAccount.value = false
    }
    session.account.observe { [self] in
      if $0 != nil, needsAccount.value { needsAccount.value = false }
    }
    effects.run { [self] in
      defer { isReady = true }
      try await session.reload()
    }
    guard !hasPurged.value else { return }
    // The app may have quit before a deletion became final.
    effects.run { [self] in
      try await purgeDeletedChats()
    } catch: { _ in
      // The next deletion tries again.
    }
  }

  /// Deletes the chats whose deletion can no longer be undone.
  func purgeDeletedChats() async throws {
    try await chats.purgeDeletedChats(before: effects.now - ChatsPresenter.undoPeriod)
    hasPurged.value = true
  }

  func mayOpen(_ link: Link) -> Bool {
    isReady && (!link.isPrivate || output.account.value != nil)
  }

  func linkWaits(_ link: Link) {
    guard link.isPrivate else { return }
    if session.isGuest.value { invite() } else { needsAccount.value = true }
  }

  // MARK: The invitation to create an account

  /// Invites the guest, unless an invitation is open.
  private func invite() {
    if openInvitations == 0 { router.showCreateAccount() }
  }

  func invitationOpened() { openInvitations += 1 }

  /// Forgets the link that waits for an account, if the guest has declined to create one.
  func invitationClosed() {
    openInvitations -= 1
    if output.account.value == nil { router.declineLink() }
  }
}

@CoreActor
protocol AppScopeRouter: AnyObject {
  func showCreateAccount()
  /// Forgets the link that waits.
  func declineLink()
}
