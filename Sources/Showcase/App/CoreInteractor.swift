import Offstage

/// Everything that presenters can read and change, in one place.
///
/// Each screen has its own interactor, which ends with the screen, and sees only the methods of the
/// protocol that the screen declares.
@CoreActor
final class CoreInteractor {
  private let accounts: any AccountRepository
  private let avatars: any AvatarRepository
  private let chatRepository: any ChatRepository
  private let replies: any ReplySource
  private let scope: AppScope
  private let session: Session
  private let settings: any SettingsRepository
  private let tracker: ScreenTracker
  private let history: @CoreActor () -> any RowProvider<TrackedEventRow>
  private let clock: CoreClock
  let isForDevelopers: Bool
  private let localizer = Localizer()

  /// Creates the interactor of the screen that is being created.
  init(_ dependencies: Dependencies) throws {
    accounts = try dependencies[.accounts]
    avatars = try dependencies[.avatars]
    chatRepository = try dependencies[.chats]
    replies = try dependencies[.replies]
    scope = try dependencies[.scope]
    session = scope.session
    settings = try dependencies[.settings]
    tracker = try ScreenTracker(dependencies)
    history = try dependencies[.history]
    clock = try dependencies[.clock]
    isForDevelopers = try dependencies[.isForDevelopers]
  }

  /// Seconds since 1970.
  var now: Int { Int(clock.now.components.seconds) }

  // MARK: Tracking

  func trackEvent(_ event: any LoggableEvent) { tracker.trackEvent(event) }

  var events: any RowProvider<TrackedEventRow> { history() }

  // MARK: The account

  func account() async throws -> Account? { try await session.reload() }
  func refreshAccount() { session.refresh() }
  var owner: Owner { session.owner }
  /// The signed-in account, now and after every change; nil for a guest.
  var accountChanges: Signal<Account?> { session.account.signal }
  /// True once it is known that no account is signed in.
  var isGuest: Signal<Bool> { session.isGuest.signal }
  /// Fires after an account signs in or out.
  var accountSwitches: Signal<Trigger> { session.switches.signal }
  func invitationOpened() { scope.invitationOpened() }
  func invitationClosed() { scope.invitationClosed() }

  func signOut(_ account: Account) async throws {
    try await session.write { try await accounts.signOut(account) }
    session.show(nil)
  }

  func updateAccount(_ account: Account, name: String, picture: AvatarCategory) async throws {
    let account = try await session.write {
      try await accounts.update(account, name: name, picture: picture)
    }
    // The user may have signed out during the update.
    if session.account.value?.id == account.id { session.account.value = account }
  }

  func deleteAccount(_ account: Account) async throws {
    try await session.write { try await accounts.delete(account) }
    session.show(nil)
  }

  // MARK: Avatars

  func featuredAvatars() async throws -> [Avatar] { try await avatars.featured().map(localized) }
  func popularAvatars() -> Fetch<[Avatar]> {
    avatars.popular().map { [words = localizer.words] in $0.map { $0.named(words) } }
  }
  func createdAvatars() async throws -> [Avatar] {
    try await session.read { try await avatars.created(as: $0) }
  }

  func avatar(id: String) async throws -> Avatar { localized(try await storedAvatar(id: id)) }

  /// Returns an avatar in the language of the data.
  private func storedAvatar(id: String) async throws -> Avatar {
    try await session.read { try await avatars.avatar(id: id, as: $0) }
  }

  func avatars(in category: AvatarCategory) async throws -> [Avatar] {
    try await session.read { try await avatars.avatars(in: category, as: $0) }.map(localized)
  }

  private func localized(_ avatar: Avatar) -> Avatar { avatar.named(localizer.words) }

  func createAvatar(
    name: String, category: AvatarCategory, description: String, as owner: Owner
  ) async throws -> Avatar {
    try await session.write {
      try await avatars.create(name: name, category: category, description: description, as: owner)
    }
  }

  // MARK: Chats

  func chats() async throws -> [Chat] {
    var chats = try await session.read { try await chatRepository.chats(as: $0) }
    for (index, chat) in chats.enumerated() where localizer.words.avatar(chat.id) != nil {
      let avatar = try await avatar(id: chat.id)
      (chats[index].name, chats[index].image) = (avatar.name, avatar.image)
    }
    return chats
  }

  func deleteChat(_ id: String, as owner: Owner) async throws {
    scope.hasPurged.value = false
    try await session.write {
      try await chatRepository.deleteChat(id, at: clock.now, as: owner)
    }
    conversation(with: id).clear()
  }

  func restoreChat(_ id: String, as owner: Owner) async throws {
    try await session.write { try await chatRepository.restoreChat(id, as: owner) }
    try await conversation(with: id).load {
      chatRepository.isReplyReserved(in: id)
    } _: {
      try await messages(of: ChatDelegate(avatarId: id))
    }
  }

  func purgeDeletedChats() async throws { try await scope.purgeDeletedChats() }

  func conversation(with avatar: String) -> Conversation {
    scope.conversations.conversation(of: avatar) {
      [session, chatRepository] message, skipped, limit in
      try await session.read {
        try await chatRepository.messages(
          of: avatar, before: message, skipping: skipped, limit: limit, as: $0)
      }
    }
  }

  func messages(of delegate: ChatDelegate) async throws -> ChatHistory {
    let messages = try await session.read {
      try await chatRepository.newestMessages(
        of: delegate.avatarId, limit: Conversation.newestCount, as: $0)
    }
    // A chat has its avatar's id.
    if let id = delegate.chatId, messages == nil || id != delegate.avatarId {
      throw LoadFailure(.notFound, "There is no chat \(id).", retryable: false)
    }
    return messages ?? ChatHistory([], earlier: 0)
  }

  func say(_ text: String, to avatar: Avatar, as owner: Owner) async throws -> ChatMessage {
    var stored = avatar
    if localizer.words.avatar(avatar.id) != nil { stored = try await storedAvatar(id: avatar.id) }
    return try await session.write {
      try await chatRepository.say(text, to: stored, at: now, as: owner)
    }
  }

  var replyPace: Duration? { replies.pace }

  func reply(
    to context: ChatHistory, as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error> {
    replies.reply(to: context, as: avatar, in: localizer.language)
  }

  func reserveReply(of avatar: Avatar) async throws -> Bool {
    try await chatRepository.reserveReply(in: avatar.id)
  }

  func releaseReply(of avatar: Avatar) { chatRepository.releaseReply(in: avatar.id) }

  func isReplyReserved(in chat: String) -> Bool {
    chatRepository.isReplyReserved(in: chat)
  }

  func beginReply(
    _ piece: String, of avatar: Avatar, as owner: Owner
  ) async throws -> ChatMessage {
    try await session.write {
      try await chatRepository.beginReply(piece, in: avatar.id, at: now, as: owner)
    }
  }

  func append(_ piece: String, to reply: Int, as owner: Owner) async throws {
    try await session.write { try await chatRepository.append(piece, to: reply, as: owner) }
  }

  func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int] {
    try await session.write { try await chatRepository.endReply(reply, end, as: owner) }
  }

  func clearChat(_ id: String, as owner: Owner) async throws {
    try await session.write { try await chatRepository.clearChat(id, as: owner) }
  }

  // MARK: The display

  var language: Signal<LanguageOption> { scope.display.language.value.signal }
  var appearance: Signal<AppearanceOption> { scope.display.appearance.value.signal }

  func choose(_ language: LanguageOption, catch handle: @escaping ErrorHandler) {
    scope.display.language.choose(language, catch: handle)
  }

  func choose(_ appearance: AppearanceOption, catch handle: @escaping ErrorHandler) {
    scope.display.appearance.choose(appearance, catch: handle)
  }

  // MARK: Reminders

  var notificationStatus: Signal<NotificationStatus> { scope.reminders.status.signal }
  var scheduledReminders: Signal<[Reminder]> { scope.reminders.scheduled.signal }
  var isChangingReminders: Signal<Bool> { scope.reminders.isChanging }
  var isLoadingReminders: Signal<Bool> { scope.reminders.isLoading.signal }

  func renewRemindersAtStart() { scope.reminders.renewAtStart() }

  func renewReminders(catch handle: @escaping ErrorHandler) {
    scope.reminders.renew(catch: handle)
  }

  func turnReminders(on: Bool, catch handle: @escaping ErrorHandler) {
    scope.reminders.turn(on: on, catch: handle)
  }

  func canRequestAuthorization() async throws -> Bool { try await scope.reminders.mayAsk() }

  func answerPushPermission(enable: Bool, catch handle: @escaping ErrorHandler) {
    scope.reminders.answerModal(on: enable, catch: handle)
  }

  // MARK: Experiments

  func abTests() async throws -> ABTests {
    ABTests(installation: try await settings.installationID())
      .overridden(by: try await abOverrides())
  }

  func firstStart() async throws -> Duration { try await settings.firstStart(now: clock.now) }

  func abOverrides() async throws -> ABOverrides {
    ABOverrides(saved: try await settings.values(as: .device))
  }

  func setABOverrides(_ overrides: ABOverrides) async throws {
    try await settings.set(.categoryRow, to: overrides.categoryRow?.rawValue, as: .device)
    try await settings.set(
      .createAccountPrompt, to: overrides.createAccountPrompt?.description, as: .device)
  }

  /// Tracks this installation's variants, once per experiment, except those that are overridden.
  func trackExposure() async throws {
    let saved = try await settings.values(as: .device)
    let overrides = ABOverrides(saved: saved)
    let tests = ABTests(installation: try await settings.installationID())
    for (experiment, isOverridden, variant) in [
      (ABTests.categoryRow.name, overrides.categoryRow != nil, tests.categoryRow.rawValue),
      (
        ABTests.createAccountPrompt.name, overrides.createAccountPrompt != nil,
        tests.createAccountPrompt.description
      ),
    ] where !isOverridden {
      let setting = "exposure.\(experiment)"
      guard saved[setting] == nil else { continue }
      try await settings.set(setting, to: variant, as: .device)
      trackEvent(ExperimentEvent.exposed(experiment: experiment, variant: variant))
    }
  }
}

extension Avatar {
  /// Translates the name and description of a built-in avatar.
  fileprivate func named(_ words: Words) -> Avatar {
    guard let names = words.avatar(id) else { return self }
    var avatar = self
    (avatar.name, avatar.description) = (names.name, names.description)
    return avatar
  }
}

private enum ExperimentEvent: LoggableEvent {
  static let screen = "experiment"
  case exposed(experiment: String, variant: String)
}

/// The protocols that the screens declare.
extension CoreInteractor:
  CreateAccountInteractor, DevSettingsInteractor, EditProfileInteractor, ProfileInteractor,
  SettingsInteractor, ChatInteractor, ChatsInteractor, CategoryListInteractor,
  CreateAvatarInteractor, ExploreInteractor
{}

extension ABOverrides {
  /// - Parameter saved: The settings of the device.
  fileprivate init(saved: [String: String]) {
    self.init(
      categoryRow: saved[.categoryRow].flatMap(CategoryRowOption.init),
      createAccountPrompt: saved[.createAccountPrompt].flatMap(Bool.init))
  }
}

/// The names of the settings.
extension String {
  fileprivate static let categoryRow = "ab.categoryRow"
  fileprivate static let createAccountPrompt = "ab.createAccountPrompt"
}
