import Offstage
import OffstageLive
import OffstageTesting
import ShowcaseLive
import TestSupport
import Testing

@testable import Showcase

/// Two processes of the app on one data directory. The second one is a connection of its own.
@Suite @CoreActor struct SharedAccountTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func signingInAndOutElsewhereShowsOnTheNextAppearance() async throws {
    let other = try open()
    let core = try await start()
    let profile = try #require(core.screen(ProfilePresenter.self))
    let kim = try await PersonalDatabase(other).signUp(
      name: "Kim", email: "kim@example.com", as: .guest)
    #expect(profile.output.canCreateAccount.value)
    profile.input.didAppear.send()
    await core.settle()
    #expect(profile.output.account.value == kim)
    #expect(!profile.output.canCreateAccount.value)

    try await PersonalDatabase(other).signOut(kim)
    profile.input.didAppear.send()
    await core.settle()
    #expect(profile.output.account.value == nil)
    #expect(profile.output.canCreateAccount.value)
    #expect(core.faults.isEmpty)
  }

  @Test func accountThatWasDeletedElsewhereIsNotEdited() async throws {
    let other = try open()
    let accounts = PersonalDatabase(other)
    let kim = try await accounts.signUp(name: "Kim", email: "kim@example.com", as: .guest)
    let core = try await start()
    let profile = try #require(core.screen(ProfilePresenter.self))
    profile.input.editProfileTapped.send()
    let form = try #require(core.screen(EditProfilePresenter.self))
    form.input.nameText.send("Lee")
    try await accounts.delete(kim)
    form.input.save.send()
    await core.settle()
    #expect(core.prompts.count == 1)
    #expect(core.screen(EditProfilePresenter.self) === form)
    #expect(profile.output.account.value == nil)
  }

  /// The first process signs out and in as Lee. The second one still shows Kim.
  @Test func whatIsWrittenForKimNeverLandsInLeesAccount() async throws {
    let other = try open()
    let accounts = PersonalDatabase(other)
    let kim = try await accounts.signUp(name: "Kim", email: "kim@example.com", as: .guest)
    let core = try await start(showing: Route(ChatPresenter.self, .init(avatarId: "mina")))
    let chat = try #require(core.screen(ChatPresenter.self))
    let scope = try #require(core.scope(AppScope.self))
    #expect(scope.output.account.value == kim)
    chat.input.messageText.send("PRIVATE of Kim")
    try await PersonalDatabase(other).signOut(kim)
    let lee = try await accounts.signUp(name: "Lee", email: "lee@example.com", as: .guest)
    chat.input.send.send()
    await core.settle()
    #expect(
      try await PersonalDatabase(other).chats(as: .account(lee.id))
        .isEmpty)
    #expect(scope.output.account.value == lee)
    #expect(chat.output.messages.isEmpty)
    #expect(chat.input.messageText.value == "")
    #expect(core.prompts.count == 1)
    // From now on the screen is Lee's.
    chat.input.messageText.send("Hello from Lee")
    chat.input.send.send()
    await core.run()
    let chats = try await PersonalDatabase(other).chats(
      as: .account(lee.id))
    #expect(chats.map(\.id) == ["mina"])
  }

  /// The second action waits for the first one, which learns of the other account.
  @Test func queuedActionsAreThoseOfTheAccountThatWasShown() async throws {
    let other = try open()
    let accounts = PersonalDatabase(other)
    let chats = PersonalDatabase(other)
    let kim = try await accounts.signUp(name: "Kim", email: "kim@example.com", as: .guest)
    let avatars = ["mina", "misty"].compactMap(Avatar.builtIn(id:))
    for avatar in avatars {
      _ = try await chats.say("Hi", to: avatar, at: 1, as: .account(kim.id))
    }
    let core = try await start(showing: Route(ChatsPresenter.self))
    let list = try #require(core.screen(ChatsPresenter.self))
    list.input.didAppear.send()
    await core.settle()
    #expect(list.output.chats.count == 2)
    try await PersonalDatabase(other).signOut(kim)
    let lee = try await accounts.signUp(name: "Lee", email: "lee@example.com", as: .guest)
    for avatar in avatars {
      _ = try await chats.say("Hi", to: avatar, at: 1, as: .account(lee.id))
    }
    list.input.deleteTapped.send("mina")
    list.input.deleteTapped.send("misty")
    await core.settle()
    #expect(try await chats.chats(as: .account(lee.id)).count == 2)
    #expect(list.output.chats.count == 2)
  }

  @Test func draftsAreGoneAfterSigningOutElsewhere() async throws {
    let other = try open()
    let kim = try await PersonalDatabase(other).signUp(
      name: "Kim", email: "kim@example.com", as: .guest)
    let core = try await start()
    let profile = try #require(core.screen(ProfilePresenter.self))
    profile.input.createAvatarTapped.send()
    let form = try #require(core.screen(CreateAvatarPresenter.self))
    form.input.nameText.send("Secret")
    form.input.descriptionText.send("of Kim")
    try await PersonalDatabase(other).signOut(kim)
    form.input.save.send()
    await core.settle()
    #expect(form.input.nameText.value == "")
    #expect(form.input.descriptionText.value == "")
    let guests = StoredAvatarRepository(
      database: PersonalDatabase(other),
      cache: ResponseCache(client: .showcase(), database: other))
    #expect(try await guests.created(as: .guest).isEmpty)
  }

  private func open() throws -> Database {
    try Database(.directory(directory.url), execution: .inline)
  }

  private func start(showing root: Route = Route(ProfilePresenter.self)) async throws -> TestCore {
    var app = try CoreBuilder.app(try .stored(in: try open()))
    app.root = .stack(root)
    let core = TestCore(app)
    try core.start()
    await core.settle()
    return core
  }
}
