import Offstage
import OffstageTesting
import Testing

@testable import tracker

/// What comes back after the app is killed.
@CoreActor
struct RestartTests {
  @Test func listComesBackWithItsPages() async throws {
    let stage = try await Stage()
    stage.list.input.filterPicked.send(.all)
    stage.list.input.searchText.send("Issue")
    await stage.core.advance(by: .milliseconds(300))
    stage.list.input.reachedEnd.send()
    await stage.core.settle()
    #expect(stage.ids.count == 40)
    let restarted = try await stage.restarted()
    #expect(restarted.list.input.searchText.value == "Issue")
    #expect(restarted.ids == stage.ids)
    #expect(restarted.list.output.sections.values == stage.list.output.sections.values)
    restarted.list.input.reachedEnd.send()
    await restarted.core.settle()
    #expect(restarted.ids.count == 45)
    #expect(Set(restarted.ids).count == 45)
  }

  @Test func searchThatWasBeingTypedGoesOn() async throws {
    let stage = try await Stage()
    stage.list.input.searchText.send("Issue 11")
    let restarted = try await stage.restarted()
    #expect(restarted.ids == [11])
  }

  @Test func deletionKeepsItsTime() async throws {
    let stage = try await Stage()
    stage.list.input.rowSwiped.send(1)
    await stage.core.advance(by: .seconds(3))
    let restarted = try await stage.restarted()
    #expect(restarted.list.output.undoText.value == "Deleted Issue 1")
    #expect(restarted.ids.first == 4)
    await restarted.core.advance(by: .milliseconds(1699))
    #expect(restarted.store.content.issues[1] != nil)
    await restarted.core.advance(by: .milliseconds(1))
    #expect(restarted.store.content.issues[1] == nil)
    #expect(restarted.list.output.undoText.value == nil)
  }

  @Test func deletionCanBeUndoneAfterwards() async throws {
    let stage = try await Stage()
    stage.list.input.rowSwiped.send(1)
    let restarted = try await stage.restarted()
    restarted.list.input.undo.send()
    await restarted.core.advance(by: .seconds(10))
    #expect(restarted.ids.first == 1)
    #expect(restarted.store.content.issues[1] != nil)
  }

  /// As when the app has ended, which does not wait for the time to undo.
  @Test func deletionThatIsDoneCannotBeUndone() async throws {
    let folder = Folder()
    let stage = try await Stage(in: folder)
    stage.list.input.rowSwiped.send(1)
    try await stage.store.delete(1)
    await stage.core.advance(by: .milliseconds(200))
    let restarted = try await stage.restarted()
    #expect(restarted.list.output.undoText.value == nil)
    await restarted.core.advance(by: .seconds(10))
    #expect(restarted.core.prompts.isEmpty)
    #expect(!restarted.ids.contains(1))
  }

  /// What is shown comes from the store.
  @Test(arguments: [false, true])
  func changeIsSavedOrRolledBack(isSaved: Bool) async throws {
    let folder = Folder()
    let stage = try await Stage(in: folder)
    stage.list.input.filterPicked.send(.all)
    await stage.core.advance(by: .milliseconds(300))
    stage.list.input.rowToggled.send(1)
    if isSaved { await stage.core.advance(by: .milliseconds(200)) }
    #expect(stage.list.output.rows[1]?.isDone == true)
    let restarted = try await stage.restarted()
    #expect(restarted.list.output.rows[1]?.isDone == isSaved)
  }

  @Test func editorKeepsItsDraft() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    editor.input.titleText.send("Draft")
    editor.input.dueText.send("soon")
    editor.input.save.send()
    #expect(editor.input.dueText.error == "Like 2026-01-31.")
    let core = try await stage.restarted().core
    let again = try #require(core.screen(IssueEditor.self))
    #expect(again.input.titleText.value == "Draft")
    #expect(again.input.dueText.error == "Like 2026-01-31.")
    #expect(again.input.tags.value == ["work"])
    #expect(again.output.canSave.value)
    again.input.dueText.send("")
    again.input.save.send()
    await core.settle()
    #expect(core.scope(AppScope.self)?.store.content.issues[1]?.content.title == "Draft")
  }

  @Test func pickerComesBackAndIsHeard() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    editor.input.tagsTapped.send()
    await stage.core.settle()
    let picker = try #require(stage.core.screen(TagPicker.self))
    picker.output.tags["work"]?.input.isOn.send(false)
    picker.input.newTagText.send("garden")
    picker.input.add.send()
    picker.input.newTagText.send("gar")
    let core = try await stage.restarted().core
    let again = try #require(core.screen(TagPicker.self))
    #expect(again.output.tags.values.map(\.id) == ["home", "work", "garden"])
    #expect(again.output.selectedCount.value == 1)
    #expect(again.input.newTagText.value == "gar")
    again.output.tags["home"]?.input.isOn.send(true)
    again.input.done.send()
    #expect(core.screen(IssueEditor.self)?.input.tags.value == ["home", "garden"])
  }

  @Test func questionsAreAskedAgain() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    let settings = try #require(stage.core.screen(Settings.self))
    editor.input.delete.send()
    editor.input.photoTapped.send()
    settings.input.signOutTapped.send()
    await stage.core.settle()
    let questions = stage.core.prompts
    #expect(questions.count == 3)
    let restarted = try await stage.restarted()
    #expect(restarted.core.prompts == questions)
    try restarted.core.answer(Dialog.Answer(button: "yes"), to: questions[0].id)
    await restarted.core.settle()
    #expect(restarted.store.content.issues[1] == nil)
  }

  @Test func syncGoesOnFromItsPart() async throws {
    let stage = try await Stage()
    stage.list.input.syncTapped.send()
    stage.core.screen(Sync.self)?.input.start.send()
    await stage.core.advance(by: .milliseconds(500))
    let core = stage.core.restarted()
    await core.settle()
    let sync = try #require(core.screen(Sync.self))
    #expect(sync.output.state.value == SyncState(phase: .running, progress: 0.5))
    await core.advance(by: .milliseconds(500))
    #expect(sync.output.state.value == SyncState(phase: .done, progress: 1))
    #expect(core.restarted().screen(Sync.self)?.output.state.value.phase == .done)
  }

  @Test(arguments: [false, true])
  func themeIsSavedOrRolledBack(isSaved: Bool) async throws {
    let folder = Folder()
    let stage = try await Stage(in: folder)
    stage.core.screen(Settings.self)?.input.themePicked.send(.dark)
    if isSaved { await stage.core.advance(by: .milliseconds(200)) }
    let core = try await stage.restarted().core
    #expect(core.screen(Settings.self)?.input.themePicked.value == (isSaved ? .dark : .system))
    #expect(core.scope(AppScope.self)?.isDark.value == (isSaved ? true : nil))
  }

  @Test func signInKeepsTheAddressAlone() async throws {
    let core = TestCore(TrackerApp.app { try Stage.signedOutStore() })
    try core.start()
    await core.settle()
    let signIn = try #require(core.screen(SignIn.self))
    signIn.input.emailText.send("kim@example.com")
    signIn.input.passwordText.send("secret")
    let restarted = core.restarted()
    await restarted.settle()
    let again = try #require(restarted.screen(SignIn.self))
    #expect(again.input.emailText.value == "kim@example.com")
    #expect(again.input.passwordText.value == "")
  }

  /// The store has done what the app was about to show.
  @Test func signOutThatWasCutIsShown() async throws {
    let folder = Folder()
    let stage = try await Stage(in: folder)
    try await stage.store.signOut()
    let core = stage.core.restarted()
    await core.settle()
    #expect(core.kinds == ["signIn"])
    #expect(core.faults == [])
  }
}
