import Offstage

/// The state that outlives the screens and that they share: the session, the running replies, the
/// library's changes, and the user's location.
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
  /// Fires when a link needs an account.
  let accountRequests = Relay<Trigger>()
  let conversations = Conversations()
  let library: LibraryRecords
  let userLocation = UserLocation()

  private let tabs = Tabs()
  /// True once loading the account has succeeded or failed.
  private var isReady = false
  /// True if a link needs an account and it is not yet known whether one is signed in.
  private var needsAccount = false

  init(
    session: any SessionRepository, chats: any ChatRepository, library: any LibraryRepository
  ) {
    self.session = Session(session, effects)
    self.library = LibraryRecords(library, self.session, effects)
    output.account.bind(self.session.account)
    output.runningReplies.bind(conversations.runningReplies)
    tabs.bindBadge(of: "chats", to: output.runningReplies.map { $0 == 0 ? nil : "\($0)" })
    self.session.switches.observe { [self] (_: Trigger) in
      conversations.invalidate()
      self.library.invalidate()
    }
    self.session.isGuest.observe { [self] in
      if $0, needsAccount { accountRequests.send(Trigger()) }
      if $0 { needsAccount = false }
    }
    self.session.account.observe { [self] in
      if $0 != nil { needsAccount = false }
    }
    effects.run { [self] in
      defer { isReady = true }
      try await self.session.reload()
    }
    effects.run { [effects] in
      // The app may have quit before a deletion became final.
      try await chats.purgeDeletedChats(before: effects.now - ChatsPresenter.undoPeriod)
    } catch: { _ in
      // The next deletion tries again.
    }
  }

  func mayOpen(_ link: Link) -> Bool {
    isReady && (!link.isPrivate || output.account.value != nil)
  }

  func linkWaits(_ link: Link) {
    guard link.isPrivate else { return }
    if session.isGuest.value { accountRequests.send(Trigger()) } else { needsAccount = true }
  }
}
