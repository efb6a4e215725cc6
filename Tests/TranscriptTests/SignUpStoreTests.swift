import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The sign-up form on the database of the app.
@Suite @CoreActor struct SignUpStoreTests {
  @Test func goingBackWhileSavingSignsIn() async throws {
    var app = try CoreBuilder.app(try .stored())
    app.root = .stack(Route(ProfilePresenter.self))
    let core = TestCore(app)
    try core.start()
    await core.settle()
    let profile = try #require(core.screen(ProfilePresenter.self))
    profile.input.createAccountTapped.send()
    core.screen(CreateAccountPresenter.self)?.input.signUpTapped.send()
    let form = try #require(core.screen(SignUp.self))
    form.input.nameText.send("Kim")
    form.input.emailText.send("kim@example.com")
    form.input.confirm.send()
    // Nothing has been written yet: the save is a task that has not had its turn.
    #expect(profile.output.account.value == nil)
    #expect(!core.back())
    #expect(core.prompts.isEmpty)
    await core.settle()
    #expect(core.screen(SignUp.self) == nil)
    #expect(profile.output.account.value?.name == "Kim")
    #expect(core.screen(CreateAccountPresenter.self) == nil)
    #expect(core.scope(AppScope.self)?.output.account.value?.email == "kim@example.com")
    #expect(core.faults.isEmpty)
  }
}
