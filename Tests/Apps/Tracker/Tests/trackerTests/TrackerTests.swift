import Offstage
import OffstageTesting
import Testing

@testable import tracker

@CoreActor
struct IssueListTests {
  @Test func searchWaitsAndFilters() async throws {
    let stage = try await Stage()
    #expect(stage.ids.count == 20)
    stage.list.input.filterPicked.send(.done)
    stage.list.input.searchText.send("Issue 1")
    await stage.core.advance(by: .milliseconds(299))
    #expect(stage.ids.count > 2)
    await stage.core.advance(by: .milliseconds(1))
    #expect(stage.ids == [10, 15])
  }

  @Test func pagesFollowEachOtherAfterADeletion() async throws {
    let stage = try await Stage()
    stage.list.input.rowSwiped.send(1)
    await stage.core.advance(by: .seconds(5))
    stage.list.input.reachedEnd.send()
    await stage.core.settle()
    #expect(stage.ids.count == 35)
    #expect(!stage.list.output.hasMore.value)
    #expect(stage.list.output.sections.values.map(\.count) == [11, 12, 12])
  }

  @Test func swipeCanBeUndone() async throws {
    let stage = try await Stage()
    stage.list.input.rowSwiped.send(1)
    #expect(stage.list.output.undoText.value == "Deleted Issue 1")
    #expect(stage.ids.first == 4)
    stage.list.input.undo.send()
    await stage.core.advance(by: .seconds(10))
    #expect(stage.ids.first == 1)
    #expect(stage.store.content.issues[1] != nil)
  }

  @Test func signingOutDeletesTheSwipedIssue() async throws {
    let stage = try await Stage()
    stage.list.input.rowSwiped.send(1)
    stage.core.scope(AppScope.self)?.signOut()
    await stage.core.settle()
    #expect(stage.core.kinds == ["signIn"])
    #expect(stage.store.content.issues[1] == nil)
  }

  @Test func failedToggleIsRolledBack() async throws {
    let stage = try await Stage(.offline)
    stage.list.input.rowToggled.send(1)
    #expect(stage.list.output.rows[1]?.isDone == true)
    await stage.core.settle()
    #expect(stage.list.output.rows[1]?.isDone == false)
  }

  @Test func failedDeletionBringsTheIssueBack() async throws {
    let stage = try await Stage(.offline)
    stage.list.input.rowSwiped.send(1)
    await stage.core.advance(by: .seconds(5))
    #expect(stage.ids.first == 1)
  }

  @Test func agesGrow() async throws {
    let stage = try await Stage()
    #expect(stage.list.output.rows[1]?.updated == "1 minute ago")
    await stage.core.advance(by: .seconds(60))
    #expect(stage.list.output.rows[1]?.updated == "2 minutes ago")
  }

  @Test(
    arguments: [(34, 13, [34, 13]), (2, 4, [2, 4]), (1, nil, [29, 1])] as [(Int, Int?, [Int])])
  func rowMoves(_ id: Int, before: Int?, _ neighbors: [Int]) async throws {
    let stage = try await Stage()
    stage.list.input.rowMoved.send(.init(id: id, before: before))
    await stage.core.settle()
    let index = try #require(stage.ids.firstIndex(of: neighbors[0]))
    #expect(Array(stage.ids[index...].prefix(2)) == neighbors)
    let day = stage.store.content.issues[neighbors[0] == id ? neighbors[1] : neighbors[0]]
    #expect(stage.store.content.issues[id]?.section == day?.section)
  }

  @Test func badgeCountsOpenIssues() async throws {
    let stage = try await Stage()
    let scope = try #require(stage.core.scope(AppScope.self))
    #expect(scope.output.openCount.value == 36)
    stage.list.input.rowToggled.send(1)
    await stage.core.settle()
    #expect(scope.output.openCount.value == 35)
  }
}

@CoreActor
struct IssueEditorTests {
  @Test func savedIssueIsInTheList() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    #expect(editor.input.titleText.value == "Issue 1")
    #expect(!editor.output.canSave.value)
    editor.input.dueText.send("2026-01-05")
    editor.input.tagsTapped.send()
    await stage.core.settle()
    let picker = try #require(stage.core.screen(TagPicker.self))
    picker.output.tags["home"]?.input.isOn.send(true)
    picker.input.done.send()
    #expect(editor.input.tags.value == ["home", "work"])
    editor.input.save.send()
    await stage.core.settle()
    #expect(stage.core.kinds == ["issueList", "settings"])
    #expect(stage.list.output.rows[1]?.section == "2026-01-05")
    #expect(stage.core.faults == [])
  }

  @Test func wrongContentSaysWhyItIsNotSaved() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    editor.input.titleText.send("")
    editor.input.dueText.send("soon")
    #expect(editor.output.canSave.value)
    editor.input.save.send()
    #expect(editor.input.titleText.error == "A title is needed.")
    #expect(editor.input.dueText.error == "Like 2026-01-31.")
    editor.input.tagsTapped.send()
    await stage.core.settle()
    let picker = try #require(stage.core.screen(TagPicker.self))
    picker.input.add.send()
    #expect(picker.input.newTagText.error == "This is required.")
  }

  @Test func titleIsUnique() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    editor.input.titleText.send("Issue 2")
    editor.input.save.send()
    await stage.core.settle()
    #expect(editor.input.titleText.error == "Another issue has this title.")
  }

  @Test func unsavedChangesAskFirst() async throws {
    let stage = try await Stage()
    let editor = try await stage.openEditor(of: 1)
    editor.input.titleText.send("Other")
    stage.core.back()
    await stage.core.settle()
    try stage.core.answer(Dialog.Answer(button: "no"))
    await stage.core.settle()
    #expect(stage.core.screen(IssueEditor.self) === editor)
    stage.core.back()
    await stage.core.settle()
    try stage.core.answer(Dialog.Answer(button: "yes"))
    await stage.core.settle()
    #expect(stage.core.screen(IssueEditor.self) == nil)
  }

  @Test func endOfTheSessionSignsOut() async throws {
    let stage = try await Stage(.signedOut)
    let editor = try await stage.openEditor(of: 1)
    editor.input.titleText.send("Other")
    editor.input.save.send()
    await stage.core.settle()
    #expect(stage.core.kinds == ["signIn"])
  }

  @Test func linkOpensAnIssue() async throws {
    let stage = try await Stage()
    try stage.core.open("tracker://issue/7")
    await stage.core.settle()
    #expect(stage.core.screen(IssueEditor.self)?.input.titleText.value == "Issue 7")
  }
}

@CoreActor
struct SyncTests {
  @Test func syncOutlivesItsSheet() async throws {
    let stage = try await Stage()
    stage.list.input.syncTapped.send()
    let sync = try #require(stage.core.screen(Sync.self))
    sync.input.start.send()
    await stage.core.advance(by: .milliseconds(250))
    #expect(sync.output.state.value.progress == 0.25)
    stage.core.back()
    #expect(stage.core.screen(Sync.self) == nil)
    await stage.core.advance(by: .milliseconds(750))
    #expect(stage.core.scope(AppScope.self)?.output.sync.value.phase == .done)
  }
}
