import Offstage

/// Shows and edits an existing issue or a new one.
final class IssueEditor: Screen {
  static let kind = "issueEditor"

  /// nil for a new issue.
  struct Argument: Codable, Sendable { var id: Int? }

  typealias Content = Issue.Content

  struct Input: Ports {
    let titleText = Field("", of: \Content.title, .required("A title is needed."), .length(...80))
    let notesText = Field("", of: \Content.notes)
    let dueText = Field(
      "", of: \Content.due,
      .matches("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$", "Like 2026-01-31."),
      roles: .date)
    let tags = Field([], of: \Content.tags)
    let attachments = Field([], of: \Content.attachments)
    let tagsTapped = In<Trigger>()
    let attachTapped = In<Trigger>()
    let photoTapped = In<Trigger>()
    let save = In<Trigger>()
    let delete = In<Trigger>(.visible(by: \Output.canDelete))
  }

  struct Output: Ports {
    let isLoading = Out(false)
    let isSaving = Out(false)
    let canSave = Out(false)
    let canDelete = Out(false)
    let failure = Event<String>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let scope: AppScope
  /// nil for a new issue.
  private let id: Int?
  private let form: Form
  private let router = Router()
  private let tagsPicked = In<[String]?>()
  /// The stored issue; nil for a new issue, or until it is loaded.
  private let original = Out<Issue?>(nil)
  /// True if what is being attached is a photo.
  private let isPhoto = Kept(false)
  private lazy var loading = effects.task()
  private lazy var deletion = effects.task(.keepFirst)
  private lazy var attaching = effects.task(.keepFirst)

  init(_ argument: Argument, _ scope: AppScope) {
    self.scope = scope
    id = argument.id
    form = Form(input, effects)
    effects.onError { scope.show($0) }
    output.isLoading.bind(loading.activity)
    output.isSaving.derive { [form] in form.isSubmitting }
    output.canSave.derive { [form] in form.isDirty && !form.isSubmitting }
    output.canDelete.derive { [original] in original.value != nil }
    input.tagsTapped.observe { [self] in pickTags() }
    input.attachTapped.observe { [self] in attach(photo: false) }
    input.photoTapped.observe { [self] in attach(photo: true) }
    attaching.onRestart("attaching") { [self] in attach() }
    tagsPicked.observe { [input] in if let tags = $0 { input.tags.value = tags } }
    input.save.observe { [self] in save() }
    input.delete.observe { [self] in if original.value != nil { delete() } }
    deletion.onRestart("deletion") { [self] in delete() }
    if let id { load(id) }
  }

  private func load(_ id: Int) {
    loading.run { [self] in
      let issue = try await scope.store.issue(id)
      original.value = issue
      form.reset(to: issue.content)
    }
  }

  private func save() {
    form.submit { [self] in
      var issue = original.value ?? Issue(id: 0, content: .init(), position: 0, updatedAt: 0)
      form.apply(to: &issue.content)
      issue.updatedAt = scope.now
      try await scope.store.save(issue)
      finish()
    } catch: { [self] error in
      guard error as? IssueError == .titleTaken else { return scope.show(error) }
      input.titleText.error = "\(error)"
    }
  }

  private func delete() {
    guard let id else { return }
    deletion.run { [self] in
      guard await effects.confirm("Delete this issue?", "Delete") else { return }
      try await scope.store.delete(id)
      finish()
    }
  }

  func mayLeave() -> Bool {
    form.mayLeave(
      asking: { [effects] in await effects.confirm("Discard your changes?", "Discard") },
      then: router.leave)
  }

  private func pickTags() {
    router.present(TagPicker.self, input.tags.value, as: .sheet([.medium, .large]))
      .deliver(to: tagsPicked)
  }

  private func attach(photo: Bool) {
    guard !attaching.isRunning else { return }
    isPhoto.value = photo
    attach()
  }

  private func attach() {
    attaching.run { [self] in
      let file = try await isPhoto.value ? effects.takePhoto() : effects.pickFile()
      input.attachments.value.append(file.path)
    } catch: { [output] in
      if $0 as? PromptError != .dismissed { output.failure.send("\($0)") }
    }
  }
}
