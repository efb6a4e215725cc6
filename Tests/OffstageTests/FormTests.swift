import OffstageTesting
import Testing

@testable import Offstage

@Suite @CoreActor struct FormTests {
  final class Editor: Screen {
    static let kind = "editor"
    struct Input: Ports {
      let title = Field("", .required, .length(...8))
      let slug = Field("")
      let tags = Field<[String]>([])
      let save = In<Trigger>()
    }
    struct Output: Ports {
      let canSave = Out(false)
      let isSaving = Out(false)
      let failed = Event<String>()
    }
    let input = Input(), output = Output(), effects = Effects()
    let form: Form
    var saved: [String] = []
    var left: [String] = []
    var asked = 0

    init(save: @escaping @CoreActor (String) async throws -> Void) {
      form = Form(input, effects)
      input.slug.check(
        .checkAsync { [self] in
          asked += 1
          return $0 == "taken" ? "is taken" : nil
        })
      output.canSave.derive { [form] in form.isValid && form.isDirty && !form.isSubmitting }
      output.isSaving.derive { [form] in form.isSubmitting }
      input.save.observe { [self] in
        form.submit { [self] in
          try await save(input.title.value)
          saved.append(input.title.value)
        } catch: { [self] error in
          guard let objection = error as? Objection else { return output.failed.send("\(error)") }
          input.title.error = objection.title
          input.slug.error = objection.slug
        }
      }
    }

    struct Objection: Error {
      var title: String?
      var slug: String?
    }

    func leave(to place: String) {
      let isClean = form.mayLeave(
        asking: { [effects] in
          let question = Dialog("Discard?", buttons: [.init("ok", "OK"), .init("keep", "Keep")])
          return try await effects.ask(.alert(question)).button == "ok"
        }, then: { [self] in left.append(place) })
      if isClean { left.append("clean \(place)") }
    }
  }

  private let core = TestCore()
  private let gate = Gate()

  private func editor(save: (@CoreActor (String) async throws -> Void)? = nil) -> Editor {
    core.show { [gate] in
      Editor { title in
        if let save { try await save(title) } else { try await gate.pass() }
      }
    }
  }

  @Test func everyFieldThatIsNotValidShowsItsMessage() {
    let editor = editor()
    let input = editor.input
    input.slug.error = "old"
    input.save.send()
    #expect(input.title.error == "This is required.")
    #expect(!editor.form.isSubmitting)
    #expect(!editor.form.isValid)
    core.locale.language = "ko"
    #expect(!editor.form.validate())
    #expect(input.title.error == "입력해 주세요.")
  }

  @Test func submissionIsShownAndGuarded() async {
    let editor = editor()
    #expect(!editor.output.canSave.value)
    editor.input.title.send("Emma")
    #expect(editor.output.canSave.value)
    editor.input.save.send()
    #expect(editor.output.isSaving.value)
    #expect(!editor.output.canSave.value)
    editor.input.save.send()
    await core.run()
    editor.input.title.send("Emma 2")
    gate.open()
    await core.settle()
    #expect(editor.saved.count == 1)
    #expect(!editor.output.isSaving.value)
    #expect(editor.form.isDirty, "what was entered meanwhile is not saved")
    editor.input.title.send("Emma")
    #expect(!editor.form.isDirty)
    #expect(!editor.output.canSave.value)
  }

  /// The user clears the title while the server checks the slug.
  @Test func contentChangedDuringACheckIsChecked() async {
    let editor = editor { _ in }
    editor.input.slug.check(
      .checkAsync { [gate] _ in
        try? await gate.pass()
        return nil
      })
    editor.input.title.send("Emma")
    editor.input.slug.send("free")
    editor.input.save.send()
    await core.run()
    editor.input.title.send("")
    gate.open()
    await core.settle()
    #expect(editor.saved == [])
    #expect(editor.input.title.error == "This is required.")
  }

  @Test func submissionWaitsForRulesThatTakeTime() async {
    let editor = editor { _ in }
    editor.input.title.send("Emma")
    editor.input.slug.send("taken")
    editor.input.save.send()
    await core.settle()
    #expect(editor.saved == [])
    #expect(editor.asked == 1)
    #expect(editor.input.slug.error == "is taken")
    editor.input.slug.send("free")
    editor.input.save.send()
    await core.settle()
    #expect(editor.saved == ["Emma"])
    #expect(!editor.form.isDirty)
  }

  private struct Draft: Equatable {
    var title = ""
    var tags: [String] = []
    var length = 0
  }

  private final class DraftEditor: Screen {
    static let kind = "draftEditor"
    struct Input: Ports {
      let title = Field("", of: \Draft.title, .required)
      let tags = Field([], of: \Draft.tags)
      let note = Field("mine")
    }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
    let form: Form

    init() { form = Form(input, effects) }
  }

  @Test func fieldsReadAndWriteAModel() {
    let editor = core.show { DraftEditor() }
    editor.form.reset(to: Draft(title: "Emma", tags: ["read"], length: 3))
    #expect(editor.input.title.value == "Emma")
    #expect(editor.input.tags.value == ["read"])
    #expect(editor.input.note.value == "mine")
    #expect(!editor.form.isDirty)
    editor.input.title.send("")
    #expect(editor.form.isDirty)
    #expect(!editor.form.isValid)
    editor.input.title.send("Persuasion")
    var draft = Draft(length: 3)
    editor.form.apply(to: &draft)
    #expect(draft == Draft(title: "Persuasion", tags: ["read"], length: 3))
  }

  @Test func aModelWithoutFieldsStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        TestCore().show { DraftEditor() }.form.reset(to: Draft?.none)
      }.value
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("OffstageTests/FormTests.swift:"))
    #expect(error.contains("no field of the form edits a property of Optional<Draft>"))
  }

  @Test func objectionsAreShownBesideTheirFields() async {
    let editor = editor { throw Editor.Objection(title: "\($0) is taken", slug: "is short") }
    editor.input.title.send("Emma")
    editor.input.save.send()
    await core.settle()
    #expect(editor.input.title.error == "Emma is taken")
    #expect(editor.input.slug.error == "is short")
    #expect(editor.form.isDirty)
  }

  /// The second content is too long.
  @Test(arguments: [("Walden", nil), ("Persuasion", "Enter at most 8 characters.")])
  func objectionToEarlierContentIsNotShown(content: String, error: String?) async {
    let editor = editor()
    editor.input.title.send("Emma")
    editor.input.save.send()
    await core.run()
    editor.input.title.send(content)
    gate.open(throwing: Editor.Objection(title: "is taken", slug: "is short"))
    await core.settle()
    #expect(editor.input.title.error == error)
    #expect(editor.input.slug.error == "is short")
  }

  @Test func leavingAsksIfContentIsUnsaved() async throws {
    let editor = editor()
    editor.leave(to: "back")
    #expect(editor.left == ["clean back"])
    editor.input.tags.send(["new"])
    editor.leave(to: "close")
    editor.leave(to: "link")
    await core.settle()
    #expect(core.prompts.map(\.description) == ["q1 alert of 1"])
    try core.answer(Dialog.Answer(button: "ok"))
    await core.settle()
    #expect(editor.left == ["clean back", "link"])
  }

  /// Also if nothing differs from what was saved: the submission may fail.
  @Test(arguments: ["Emma", ""]) func staysWhileItIsSubmitted(content: String) async throws {
    let editor = editor()
    editor.input.title.reset(to: "Walden")
    if !content.isEmpty { editor.input.title.send(content) }
    editor.input.save.send()
    editor.leave(to: "the list")
    let node = try #require(core.core.screen(1))
    node.refusedNavigation = RefusedNavigation(cause: nil) {}
    await core.run()
    #expect(editor.left == [])
    #expect(core.prompts.isEmpty)
    gate.open(throwing: Editor.Objection(title: "is taken"))
    await core.settle()
    #expect(editor.left == [])
    #expect(editor.input.title.error == "is taken")
    #expect(node.refusedNavigation == nil)
    editor.input.save.send()
    editor.leave(to: "the list")
    await core.run()
    gate.open()
    await core.settle()
    #expect(editor.left == [])
    editor.input.save.send()
    editor.leave(to: "the list")
    var resumed = 0
    node.refusedNavigation = RefusedNavigation(cause: nil) { resumed += 1 }
    await core.run()
    gate.open()
    await core.settle()
    #expect(resumed == 1, "it leaves once it is saved")
    #expect(node.refusedNavigation == nil)
    editor.leave(to: "the list")
    #expect(editor.left == ["clean the list"])
    #expect(core.faults.isEmpty)
  }

  @Test func navigationThatTheUserDeclinesIsForgotten() async throws {
    let editor = editor()
    editor.input.title.send("Draft")
    editor.leave(to: "the link")
    let node = try #require(core.core.screen(1))
    node.refusedNavigation = RefusedNavigation(cause: nil) { Issue.record("was declined") }
    await core.settle()
    try core.answer(Dialog.Answer(button: "keep"))
    await core.settle()
    #expect(node.refusedNavigation == nil)
  }

  @Test func staysIfTheUserDoesNotAgree() async throws {
    let editor = editor()
    editor.input.tags.send(["new"])
    editor.leave(to: "close")
    await core.settle()
    try core.refuse()
    await core.settle()
    #expect(editor.left == [])
    #expect(core.faults.isEmpty)
  }
}
