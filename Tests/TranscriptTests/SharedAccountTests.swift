import Offstage
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
    let kim = try await SQLiteAccountRepository(database: other).signUp(
      name: "Kim", email: "kim@example.com")
    #expect(profile.output.canCreateAccount.value)
    profile.input.didAppear.send()
    await core.settle()
    #expect(profile.output.account.value == kim)
    #expect(!profile.output.canCreateAccount.value)

    try await SQLiteSessionRepository(database: other).signOut()
    profile.input.didAppear.send()
    await core.settle()
    #expect(profile.output.account.value == nil)
    #expect(profile.output.canCreateAccount.value)
    #expect(core.faults.isEmpty)
  }

  @Test func accountThatWasDeletedElsewhereIsNotEdited() async throws {
    let other = try open()
    let accounts = SQLiteAccountRepository(database: other)
    let kim = try await accounts.signUp(name: "Kim", email: "kim@example.com")
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

  private func open() throws -> Database {
    try Database(.directory(directory.url), execution: .inline)
  }

  private func start() async throws -> TestCore {
    var app = try CoreBuilder.app(try .stored(in: try open()))
    app.root = .stack(Route(ProfilePresenter.self))
    let core = TestCore(app)
    try core.start()
    await core.settle()
    return core
  }
}
