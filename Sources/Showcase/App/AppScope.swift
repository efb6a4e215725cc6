import Offstage

/// What outlives the screens: the session, and the replies that are being written.
final class AppScope: Scope {
  struct Input: Ports {}

  struct Output: Ports {
    /// The account that is signed in; nil for a guest.
    let account = Out<Account?>(nil)
    /// The number of chats in which a reply is being written.
    let runningReplies = Out(0)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let tabs = Tabs()
  /// True once the core knows who is signed in.
  private var isStarted = false

  init(session: any SessionRepository, conversations: Conversations) {
    output.runningReplies.bind(conversations.runningReplies)
    tabs.bindBadge(of: "chats", to: output.runningReplies.map { $0 == 0 ? nil : "\($0)" })
    effects.run("start") { [self] in
      defer { isStarted = true }
      output.account.value = try await session.account()
    }
  }

  func mayOpen(_ link: Link) -> Bool {
    isStarted && (!link.isPrivate || output.account.value != nil)
  }
}
