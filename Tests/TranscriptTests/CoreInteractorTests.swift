import Offstage
import OffstageLive
import OffstageTesting
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// The interactor of the presenters on the database of the app.
@Suite @CoreActor struct CoreInteractorTests {
  private let desk: Desk
  private var interactor: CoreInteractor { desk.interactor }
  private var core: TestCore { desk.core }

  init() throws { desk = try Desk() }

  // MARK: The account

  @Test func guestSignsUpAndOut() async throws {
    await core.settle()
    #expect(try await interactor.account() == nil)
    let switches = desk.count(interactor.accountSwitches)
    let kim = try await desk.signUp("Kim")
    #expect(try await interactor.account() == kim)
    #expect(desk.account.value == kim)
    #expect(!desk.isGuest.value)
    #expect(switches.value == 1)
    try await interactor.signOut(kim)
    #expect(try await interactor.account() == nil)
    #expect(desk.account.value == nil)
    #expect(desk.isGuest.value)
    #expect(switches.value == 2)
  }

  @Test func editingIsNoSwitch() async throws {
    let kim = try await desk.signUp("Kim")
    let switches = desk.count(interactor.accountSwitches)
    try await interactor.updateAccount(kim, name: "Lee", picture: .artists)
    let account = try #require(try await interactor.account())
    #expect(account.name == "Lee")
    #expect(account.picture == .artists)
    #expect(desk.account.value == account)
    #expect(switches.value == 0)
  }

  /// An edit outlives its screen, so it may end after the user has left the account.
  @Test func lateEditDoesNotSignIn() async throws {
    let kim = try await desk.signUp("Kim")
    try await interactor.signOut(kim)
    let failure = await #expect(throws: LoadFailure.self) {
      try await interactor.updateAccount(kim, name: "Lee", picture: .artists)
    }
    #expect(failure?.reason == .accountChanged)
    #expect(desk.account.value == nil)
    #expect(try await desk.signUp("Kim").name == "Kim")
  }

  @Test func deletionRemovesWhatTheAccountOwns() async throws {
    let kim = try await desk.signUp("Kim")
    let rex = try await interactor.createAvatar(
      name: "Rex", category: .animals, description: "", as: interactor.owner)
    _ = try await say("Hello", to: rex)
    try await interactor.deleteAccount(kim)
    #expect(desk.account.value == nil)
    let again = try await desk.signUp("Kim")
    #expect(again.id != kim.id)
    #expect(try await interactor.createdAvatars().isEmpty)
    #expect(try await interactor.chats().isEmpty)
  }

  // MARK: Avatars and chats

  @Test(
    arguments: [("en", "Mina"), ("ko", "미나")] as [(LanguageTag, String)])
  func builtInAvatarsHaveNamesInTheLanguage(_ language: LanguageTag, _ name: String) async throws {
    core.locale.language = language
    let mina = try await interactor.avatar(id: "mina")
    #expect(mina.name == name)
    // The same face in each language.
    #expect(mina.image == Portrait("Mina", .cooks).uri)
    for avatars in [
      try await interactor.featuredAvatars(), try await interactor.avatars(in: .cooks),
    ] { #expect(avatars.contains(mina)) }
  }

  @Test func chatIsStoredInTheLanguageOfTheDataAndShownInThatOfTheUser() async throws {
    core.locale.language = "ko"
    _ = try await say("안녕", to: try await interactor.avatar(id: "mina"))
    #expect(try await interactor.chats().map(\.name) == ["미나"])
    core.locale.language = "en"
    #expect(try await interactor.chats().map(\.name) == ["Mina"])
  }

  @Test func chatOfADelegateMustExist() async throws {
    #expect(try await interactor.messages(of: ChatDelegate(avatarId: "mina")).count == 0)
    let failure = await #expect(throws: LoadFailure.self) {
      try await interactor.messages(of: ChatDelegate(avatarId: "mina", chatId: "mina"))
    }
    #expect(failure?.reason == .notFound)
  }

  @Test func chatOfAnotherAvatarIsNotFound() async throws {
    _ = try await say("Hello", to: try await interactor.avatar(id: "joon"))
    let failure = await #expect(throws: LoadFailure.self) {
      try await interactor.messages(of: ChatDelegate(avatarId: "mina", chatId: "joon"))
    }
    #expect(failure?.reason == .notFound)
  }

  @Test func deletedChatComesBackWithItsMessages() async throws {
    let mina = try await interactor.avatar(id: "mina")
    _ = try await say("Hello", to: mina)
    let conversation = interactor.conversation(with: "mina")
    try await conversation.load {
      false
    } _: {
      try await interactor.messages(of: ChatDelegate(avatarId: "mina"))
    }
    try await interactor.deleteChat("mina", as: interactor.owner)
    #expect(conversation.messages.isEmpty)
    #expect(try await interactor.chats().isEmpty)
    try await interactor.purgeDeletedChats()
    try await interactor.restoreChat("mina", as: interactor.owner)
    #expect(conversation.messages.map(\.message.text) == ["Hello"])
    try await interactor.deleteChat("mina", as: interactor.owner)
    await desk.advance(by: ChatsPresenter.undoPeriod)
    try await interactor.purgeDeletedChats()
    await #expect(throws: LoadFailure.self) {
      try await interactor.restoreChat("mina", as: interactor.owner)
    }
    #expect(try await interactor.chats().isEmpty)
    #expect(conversation.messages.isEmpty)
  }

  @Test func replyIsWrittenPieceByPiece() async throws {
    let mina = try await interactor.avatar(id: "mina")
    let owner = interactor.owner
    _ = try await say("Hello", to: mina)
    let cut = try await interactor.beginReply("One", of: mina, as: owner)
    #expect(cut.isCut)
    #expect(try await interactor.endReply(cut.id, .cut(.length), as: owner).isEmpty)
    let kept = try await interactor.messages(of: ChatDelegate(avatarId: "mina"))
    #expect(kept.messages.last?.cutReason == .length)
    let reply = try await interactor.beginReply("Two", of: mina, as: owner)
    try await interactor.append(" three", to: reply.id, as: owner)
    #expect(try await interactor.endReply(reply.id, .complete, as: owner) == [cut.id])
    let messages = try await interactor.messages(of: ChatDelegate(avatarId: "mina"))
    #expect(messages.messages.map(\.text) == ["Hello", "Two three"])
  }

  private func say(_ text: String, to avatar: Avatar) async throws -> ChatMessage {
    try await interactor.say(text, to: avatar, as: interactor.owner)
  }

  // MARK: Reminders

  /// The permission of the device, whether the user has answered our question, and the result.
  @Test(arguments: [
    ("notDetermined", false, true), ("notDetermined", true, false), ("granted", false, false),
    ("denied", false, false),
  ])
  func deviceDecidesIfThePersonMayBeAsked(
    _ status: String, _ hasAnswered: Bool, _ mayAsk: Bool
  ) async throws {
    if hasAnswered { try await desk.answering { $0.answerPushPermission(enable: false) { _ in } } }
    let result = try await desk.answering(["notifications.status": ["status": status]]) {
      try await $0.canRequestAuthorization()
    }
    #expect(result == mayAsk)
  }

  @Test func weekIsScheduledRenewedAndCanceled() async throws {
    try await desk.turnReminders(on: true)
    #expect(desk.status.value == .on)
    let first = desk.reminders.value
    #expect(first.count == 7)
    #expect(first.first?.at == interactor.now + Reminder.day)
    await desk.advance(by: .seconds(3 * Reminder.day))
    try await desk.renewReminders("granted")
    #expect(desk.reminders.value.first?.at == first[3].at)
    try await desk.turnReminders(on: false)
    #expect(desk.status.value == .off)
    #expect(desk.reminders.value.isEmpty)
  }

  @Test func remindersKeepTheTimeOfDayWhenTheClocksChange() async throws {
    core.locale = UserLocale(timeZone: "America/New_York")
    // Thursday, March 5, 2026, 9:00 AM. The clocks change on Sunday.
    await desk.advance(by: .seconds(1_772_719_200) - core.clock.now)
    try await desk.turnReminders(on: true)
    for first in [6, 10] {
      let times = desk.reminders.value.map { core.locale.civilTime(at: $0.at) }
      #expect(times.map(\.day) == Array(first..<(first + 7)))
      #expect(times.allSatisfy { $0.hour == 9 && $0.minute == 0 }, "\(times)")
      await desk.advance(by: .seconds(4 * Reminder.day))
      try await desk.renewReminders("granted")
    }
  }

  @Test func refusalTurnsRemindersOffAndSaysSo() async throws {
    try await desk.turnReminders(on: true, isGranted: false)
    #expect(desk.errors == [PromptError.refused(message: "notifications are not granted")])
    #expect(desk.status.value == .off)
  }

  /// Permission that was withdrawn in the device's settings, and given again.
  @Test func statusIsTheDevices() async throws {
    try await desk.turnReminders(on: true)
    try await desk.renewReminders("denied")
    #expect(desk.status.value == .off)
    #expect(desk.reminders.value.isEmpty)
    #expect(desk.scheduled == [7, 0])
    try await desk.renewReminders("granted")
    #expect(desk.status.value == .on)
    #expect(desk.scheduled == [7, 0, 7])
  }

  // MARK: Experiments

  @Test func overridesWinAndCanBeCleared() async throws {
    let assigned = try await interactor.abTests()
    #expect(assigned == ABTests(installation: "test"))
    try await interactor.setABOverrides(.init(categoryRow: .top, createAccountPrompt: true))
    #expect(
      try await interactor.abTests() == ABTests(categoryRow: .top, createAccountPrompt: true))
    try await interactor.setABOverrides(ABOverrides())
    #expect(try await interactor.abTests() == assigned)
  }

  @Test func exposureIsTrackedOnceAndNotForOverrides() async throws {
    try await interactor.setABOverrides(.init(categoryRow: .top))
    try await interactor.trackExposure()
    try await interactor.setABOverrides(ABOverrides())
    try await interactor.trackExposure()
    try await interactor.trackExposure()
    let events = try await interactor.events.rows(in: 0..<10).filter {
      $0.name == "experiment.exposed"
    }
    #expect(
      events.compactMap { $0.parameters["experiment"] } == ["categoryRow", "createAccountPrompt"])
  }
}

/// An open screen with an interactor.
@CoreActor
private final class Desk {
  let core: TestCore
  let interactor: CoreInteractor
  let account = Out<Account?>(nil)
  let isGuest = Out(false)
  /// Moves with the core's clock.
  private let clock = CoreClock(virtualFrom: CoreClock.deterministicStart)
  let status = Out(NotificationStatus.notAsked)
  let reminders = Out<[Reminder]>([])
  private(set) var errors: [PromptError] = []
  /// The number of reminders in each schedule that the device has got.
  private(set) var scheduled: [Int] = []
  private let scope: AppScope
  private let accounts: any AccountRepository

  init() throws {
    var dependencies = try Dependencies.stored()
    dependencies.set(.clock, to: clock)
    core = TestCore(
      App(
        root: .tabs([]), dependencies: dependencies,
        scope: ScreenFactory(AppScope.self) { dependencies in
          let session = Session(try dependencies[.accounts], Effects())
          return AppScope(
            session: session, chats: try dependencies[.chats],
            library: try dependencies[.library],
            reminders: Reminders(
              session: session, settings: try dependencies[.settings],
              repository: try dependencies[.reminders]),
            display: DisplayPreferences(try dependencies[.settings]),
            settings: try dependencies[.settings], router: CoreRouter())
        }, screens: []),
      capabilities: ["notifications.authorize", "notifications.status", "notifications.schedule"])
    scope = try #require(core.scope(AppScope.self))
    accounts = try dependencies[.accounts]
    dependencies.set(.scope, to: scope)
    interactor = try core.show { Probe(try CoreInteractor(dependencies)) }.interactor
    account.bind(interactor.accountChanges)
    isGuest.bind(interactor.isGuest)
    status.bind(interactor.notificationStatus)
    reminders.bind(interactor.scheduledReminders)
  }

  func advance(by duration: Duration) async {
    await core.advance(by: duration)
    clock.move(to: core.clock.now)
  }

  func turnReminders(on: Bool, isGranted: Bool = true) async throws {
    try await answering(["notifications.authorize": ["granted": isGranted]]) { [self] in
      $0.turnReminders(on: on) { self.errors.append($0 as! PromptError) }
    }
  }

  func renewReminders(_ permission: String) async throws {
    try await answering(["notifications.status": ["status": permission]]) {
      $0.renewReminders { _ in }
    }
  }

  func signUp(_ name: String) async throws -> Account {
    let account = try await accounts.signUp(
      name: name, email: "\(name)@example.com", as: scope.session.owner)
    scope.session.show(account)
    return account
  }

  func count(_ signal: Signal<Trigger>) -> Out<Int> {
    let count = Out(0)
    signal.observe { (_: Trigger) in count.value += 1 }
    return count
  }

  /// Runs a method of the interactor, and answers its prompts as the device does.
  func answering<Result: Sendable>(
    _ answers: [String: any Encodable & Sendable] = [:],
    _ method: @escaping @CoreActor (CoreInteractor) async throws -> Result
  ) async throws -> Result {
    let task = Task { [interactor] in try await method(interactor) }
    for _ in 1...100 {
      await core.run()
      guard let prompt = core.prompts.first else { continue }
      if prompt.kind == "notifications.schedule" {
        scheduled.append(prompt.params.ranges(of: "reminder-").count)
      }
      if let answer = answers[prompt.kind] {
        try core.answer(answer)
      } else {
        try core.answer(Empty())
      }
    }
    return try await task.value
  }
}

private final class Probe: Screen {
  static let kind = "probe"

  struct Input: Ports {}
  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  let interactor: CoreInteractor

  init(_ interactor: CoreInteractor) { self.interactor = interactor }
}

extension Dependencies {
  /// The repositories of accounts, avatars and chats, in a new database.
  static func stored(in database: Database? = nil) throws -> Dependencies {
    let database = try database ?? Database(.memory, execution: .inline)
    let events = StoredEventTracker(database: PersonalDatabase(database))
    var dependencies = Dependencies()
    dependencies.set(.accounts, to: PersonalDatabase(database))
    dependencies.set(
      .avatars,
      to: StoredAvatarRepository(
        database: PersonalDatabase(database),
        cache: ResponseCache(client: .showcase(), database: database)))
    dependencies.set(.chats, to: PersonalDatabase(database))
    dependencies.set(.clock, to: CoreClock(virtualFrom: .zero))
    dependencies.set(.history) { events.events }
    dependencies.set(.isForDevelopers, to: false)
    dependencies.set(.library, to: PersonalDatabase(database))
    dependencies.set(.reminders, to: PersonalDatabase(database))
    dependencies.set(.replies, to: BuiltInReplySource())
    dependencies.set(
      .resources,
      to: PictureCache(database: database, client: .showcase(), byteLimit: 0).resource)
    dependencies.set(
      .settings,
      to: StoredSettingsRepository(database: PersonalDatabase(database), installationID: "test"))
    dependencies.set(.sinks, to: [events])
    return dependencies
  }
}
