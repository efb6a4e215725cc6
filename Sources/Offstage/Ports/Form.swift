/// Checks and submits the fields of a screen together, and asks before unsaved changes are lost.
/// ```swift
/// private let form: Form
///
/// form = Form(input, effects)
/// output.isSaveEnabled.derive { [form] in form.isDirty && !form.isSubmitting }
/// input.save.observe { [self] in
///   form.submit { [self] in
///     try await repository.save(Draft(title: input.titleText.value, notes: input.notesText.value))
///     finish()
///   } catch: { [self] error in
///     output.failed.send("\(error)")
///   }
/// }
/// ```
@CoreActor
public final class Form {
  private let fields: [any FieldPort]
  private let submission: EffectHandle
  private let question: EffectHandle
  /// The newest way to leave, while the user is asked.
  private var leave: (() -> Void)?

  /// Creates a form of all fields among the inputs of the screen that is being created. Forms that
  /// share one ``Effects`` need different names.
  public init(
    _ input: some Ports, _ effects: Effects, name: String = "form",
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    fields = input.named().compactMap(\.port.asField)
    submission = effects.task(.keepFirst, name: "submit \(name)", fileID: fileID, line: line)
    question = effects.task(.keepFirst, name: "leave \(name)", fileID: fileID, line: line)
  }

  /// True if every field meets its rules.
  public var isValid: Bool { fields.allSatisfy(\.isValid) }

  /// True if the content of any field differs from what was saved.
  public var isDirty: Bool { fields.contains(where: \.isDirty) }

  /// True while the form is being submitted.
  public var isSubmitting: Bool { submission.isRunning }

  /// Sets the fields that were declared with a property of the model to its values, as saved
  /// content.
  /// ```swift
  /// let titleText = Field("", of: \Draft.title, .required)
  ///
  /// form.reset(to: draft)
  /// form.submit { [self] in
  ///   form.apply(to: &draft)
  ///   try await repository.save(draft)
  /// }
  /// ```
  /// - Precondition: A field was declared with a property of this type.
  public func reset<Model>(
    to model: Model, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let edited = fields.filter { $0.resetProperty(of: model) }
    require(!edited.isEmpty, Self.message(about: Model.self), file: fileID, line: line)
  }

  /// Writes the content of the fields to the properties of the model that they were declared with.
  /// - Precondition: A field was declared with a property of this type.
  public func apply<Model>(
    to model: inout Model, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let edited = fields.filter { $0.applyProperty(to: &model) }
    require(!edited.isEmpty, Self.message(about: Model.self), file: fileID, line: line)
  }

  private static func message<Model>(about model: Model.Type) -> String {
    "no field of the form edits a property of \(model): declare one as in "
      + "Field(\"\", of: \\\(model).title)"
  }

  /// Shows the message of every field that does not meet its rules.
  /// - Returns: True if all of them do.
  @discardableResult
  public func validate() -> Bool {
    fields.reduce(true) { $1.validate() && $0 }
  }

  /// Submits the form, unless it is already being submitted.
  ///
  /// If fields do not meet their rules, they show their messages, and `operation` does not run.
  /// Asynchronous rules are checked first. If `operation` succeeds, what was submitted counts as
  /// saved. If it throws, `handle` may set the ``Field/error`` of the fields that the server objects to:
  /// one whose content has changed since then stays as it is. With `outlivesScreen`, the content is
  /// saved even if the screen closes first.
  public func submit(
    outlivesScreen: Bool = false, _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard showFailures() else { return }
    var submitted: [SubmittedContent] = []
    let show = handle.map { handle in
      { @CoreActor [self] (error: any Error) in
        let messages = fields.map(\.error)
        handle(error)
        // What was entered since then is not what a message is about.
        for (index, content) in submitted.enumerated() where !content.isCurrent() {
          fields[index].error = messages[index]
        }
      }
    }
    submission.run(
      outlivesScreen: outlivesScreen,
      { [self] in
        // Unless the user is still asked about it, forget the navigation that was refused meanwhile.
        defer { if !question.isRunning { stay() } }
        guard try await validateWithServer() else { return }
        submitted = fields.map { $0.snapshot() }
        try await operation()
        try Task.checkCancellation()
        for content in submitted { content.markClean() }
        if !isDirty, !question.isRunning { _ = question.effects.node.root.resumeNavigation() }
      }, catch: show)
  }

  /// Shows the message of every field that does not meet its rules, asynchronous ones too.
  /// - Returns: True if all of them do.
  private func validateWithServer() async throws -> Bool {
    var isValid = true
    for field in fields { isValid = try await field.validate() && isValid }
    // The user may have changed a field while a rule of another one was checked.
    return isValid && validate()
  }

  /// Asks the user before unsaved content is lost.
  /// ```swift
  /// func mayLeave() -> Bool { form.mayLeave(asking: confirmDiscard, then: router.leave) }
  /// ```
  /// `leave` is called once the user agrees; the one passed last counts. If `confirm` returns false
  /// or throws, the content stays. So it does while the form is being submitted: the screen leaves
  /// once that succeeds, and if it fails, the user sees why, beside what was entered.
  /// - Returns: True, without a question, if nothing is unsaved.
  public func mayLeave(
    asking confirm: @escaping @CoreActor () async throws -> Bool, then leave: @escaping () -> Void
  ) -> Bool {
    guard !isSubmitting else { return false }
    guard isDirty else { return true }
    self.leave = leave
    question.run { [self] in
      defer { self.leave = nil }
      if try await confirm() { self.leave?() } else { stay() }
    } catch: { [self] _ in
      // The question was dismissed without an answer.
      stay()
    }
    return false
  }

  /// Forgets the navigation that the user decided against.
  private func stay() { question.effects.node.root.refusedNavigation = nil }

  /// - Returns: False if a synchronous rule is not met.
  private func showFailures() -> Bool {
    fields.reduce(true) { $1.showFailure() && $0 }
  }
}

/// The content of a field at some time.
package struct SubmittedContent {
  let isCurrent: () -> Bool
  let markClean: () -> Void
}
