/// The fields of a screen, checked, submitted, and left together.
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
/// A derived output may read every property.
@CoreActor
public final class Form {
  private let fields: [(name: String, field: any FieldPort)]
  private let submission: EffectHandle
  private let question: EffectHandle
  /// The newest way to leave, while the user is asked.
  private var leave: (() -> Void)?

  /// A form of all fields among the inputs of a screen.
  /// - Parameters:
  ///   - input: The inputs; those that are no fields do not count.
  ///   - effects: The effects of the screen that is being created.
  ///   - name: The name of the form among these effects.
  ///   - fileID: The caller's file, for the error of a name that is taken.
  ///   - line: The caller's line.
  public init(
    _ input: some Ports, _ effects: Effects, name: String = "form",
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    fields = input.named().compactMap { name, port in (port as? any FieldPort).map { (name, $0) } }
    submission = effects.task(.keepFirst, name: "submit \(name)", fileID: fileID, line: line)
    question = effects.task(.keepFirst, name: "leave \(name)", fileID: fileID, line: line)
  }

  /// True if every field meets its rules.
  public var isValid: Bool { fields.allSatisfy(\.field.isValid) }

  /// True if the content of any field differs from what was saved.
  public var isDirty: Bool { fields.contains(where: \.field.isDirty) }

  /// True while the form is being submitted.
  public var isSubmitting: Bool { submission.isRunning }

  /// Sets the fields that were declared with a property of the model to its saved content.
  /// ```swift
  /// let titleText = Field("", of: \Draft.title, .required)
  ///
  /// form.reset(to: draft)
  /// form.submit { [self] in
  ///   form.apply(to: &draft)
  ///   try await repository.save(draft)
  /// }
  /// ```
  public func reset<Model>(to model: Model) {
    for (_, field) in fields { field.resetProperty(of: model) }
  }

  /// Writes the content of the fields to the properties of the model that they were declared with.
  public func apply<Model>(to model: inout Model) {
    for (_, field) in fields { field.applyProperty(to: &model) }
  }

  /// Shows the message of every field that does not meet its rules.
  /// - Returns: True if all of them do.
  @discardableResult
  public func validate() -> Bool {
    showObjections()
    return isValid
  }

  /// Submits the form, unless it is being submitted.
  ///
  /// Fields that do not meet their rules show their messages, and `operation` does not run. It waits
  /// for rules that take time. If it succeeds, what was submitted counts as saved. If it throws a
  /// ``Rejection``, the fields show its messages.
  /// - Parameters:
  ///   - operation: Saves the content.
  ///   - handle: Called with any other error, and with the messages that belong to no field.
  public func submit(
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard showObjections() else { return }
    submission.run({ [self] in try await perform(operation) }, catch: handle)
  }

  private func perform(_ operation: @CoreActor () async throws -> Void) async throws {
    var isValid = true
    for (_, field) in fields { isValid = try await field.validate() && isValid }
    guard isValid else { return }
    let submitted = fields.map { $0.field.snapshot() }
    do { try await operation() } catch let rejection as Rejection {
      return try show(rejection, beside: submitted)
    }
    try Task.checkCancellation()
    for content in submitted { content.markClean() }
  }

  /// Leaves the screen at once if nothing is unsaved, or else once the user agrees.
  /// ```swift
  /// input.cancel.observe { [self] in form.discard(asking: confirmDiscard, then: router.leave) }
  ///
  /// func mayLeave() -> Bool {
  ///   if form.isDirty { form.discard(asking: confirmDiscard, then: router.leave) }
  ///   return !form.isDirty
  /// }
  /// ```
  /// - Parameters:
  ///   - confirm: Asks the user. The content stays if it returns false or throws.
  ///   - leave: Leaves the screen. A newer way replaces one that still waits for the user.
  public func discard(
    asking confirm: @escaping @CoreActor () async throws -> Bool, then leave: @escaping () -> Void
  ) {
    guard isDirty else { return leave() }
    self.leave = leave
    question.run { [self] in
      defer { self.leave = nil }
      if try await confirm() { self.leave?() }
    } catch: { _ in
      // Dismissed without an answer.
    }
  }

  /// - Returns: False if a rule that needs no time is not met.
  @discardableResult
  private func showObjections() -> Bool {
    fields.reduce(true) { $1.field.showObjection() && $0 }
  }

  private func show(_ rejection: Rejection, beside submitted: [FieldSnapshot]) throws {
    var rest = rejection.messages
    for ((name, field), content) in zip(fields, submitted) {
      guard let message = rest.removeValue(forKey: name) else { continue }
      // The message is not about what was entered since.
      if content.isCurrent() { field.show(message) }
    }
    if !rest.isEmpty { throw Rejection(rest) }
  }
}

/// The objections of a server to the content of a form: throw it in ``Form/submit(_:catch:)``.
public struct Rejection: Error, CustomStringConvertible {
  /// The messages, by the names of the fields.
  public let messages: [String: LocalizedText]

  /// - Parameter messages: The messages, by the names of the fields.
  public init(_ messages: [String: LocalizedText]) { self.messages = messages }

  /// The messages in English.
  public var description: String {
    messages.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value("en"))" }
      .joined(separator: ", ")
  }
}

/// The content of a field at some time.
package struct FieldSnapshot {
  let isCurrent: () -> Bool
  /// Declares this content saved.
  let markClean: () -> Void
}
