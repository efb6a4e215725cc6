package import OffstageJSON

extension Effects {
  /// Asks the user or the device: adds a prompt to the document, and waits for its answer.
  /// ```swift
  /// let question = Dialog("Delete \(book.title)?", buttons: [.init("delete", "Delete"), .init("keep", "Keep")])
  /// if try await effects.ask(.alert(question)).button == "delete" { delete(book) }
  /// ```
  /// The prompt disappears when it is answered, when the screen closes, and when the waiting work
  /// is canceled.
  /// - Throws: `PromptError` or `CancellationError`. A prompt that the front end does not support
  ///   fails at once, so the core never waits for an answer that cannot come.
  public func ask<Answer>(_ prompt: Prompt<Answer>) async throws -> Answer {
    guard node.part != nil else { throw CancellationError() }
    return try await node.core.ask(prompt, for: node)
  }
}

extension Core {
  fileprivate func ask<Answer: Codable & Sendable>(
    _ prompt: Prompt<Answer>, for node: ScreenNode
  ) async throws -> Answer {
    guard canAsk(prompt.kind) else { throw PromptError.unsupported(kind: prompt.kind) }
    if let message = prompt.refusal { throw PromptError.refused(message: message) }
    for failure in prompt.failures { report(Fault(failure)) }
    return try await Suspension<Answer>.wait { suspension in
      let id = id(of: prompt, for: node)
      let waiting = WaitingPrompt(
        id: id, kind: prompt.kind, node: node, effect: .current, params: prompt.params,
        answer: { (value: JSONView) throws(JSONMismatch) in
          let answer = try prompt.decode(value)
          if let mismatch = prompt.mismatch(answer) { throw mismatch }
          suspension.resume(with: .success(answer))
        },
        fail: { suspension.resume(with: .failure($0)) })
      // After a restart, screens ask again in another order.
      prompts.insert(
        waiting, at: prompts.firstIndex { Self.isOlder(id, than: $0.id) } ?? prompts.count)
      changed(id)
      return { [unowned self] in withdraw(id) }
    }
  }

  /// The id from before a restart if the same question is asked again, so that a front end need not
  /// notice; or else a new one.
  private func id<Answer>(of prompt: Prompt<Answer>, for node: ScreenNode) -> PromptID {
    let lost = lostPrompts.firstIndex {
      $0["screen"]?.string == node.id.description && $0["kind"]?.string == prompt.kind
        && $0["params"]?.string.map { Array($0.utf8) } == prompt.params
    }
    if let lost, let id = lostPrompts.remove(at: lost)["id"]?.string { return id }
    lastPrompt += 1
    return "q\(lastPrompt)"
  }

  private static func isOlder(_ id: PromptID, than other: PromptID) -> Bool {
    (id.utf8.count, id) < (other.utf8.count, other)
  }

  private func canAsk(_ kind: String) -> Bool {
    !supportedPrompts.isDisjoint(with: [kind, PromptDescription.everyKind])
      || PromptDescription.builtIn.contains { $0.kind == kind }
  }

  package func prompt(_ id: PromptID) -> WaitingPrompt? { prompts.first { $0.id == id } }

  /// Answers a prompt.
  /// - Returns: False if no prompt has this id.
  /// - Throws: `JSONMismatch` for an answer of another shape. The prompt then stays.
  package func answer(_ id: PromptID, _ value: JSONView) throws(JSONMismatch) -> Bool {
    guard let prompt = prompt(id) else { return false }
    try prompt.answer(value)
    withdraw(id)
    return true
  }

  /// Ends a prompt without an answer.
  /// - Returns: False if no prompt has this id.
  package func refuse(_ id: PromptID, _ error: PromptError) -> Bool {
    guard let prompt = prompt(id) else { return false }
    withdraw(id)
    prompt.fail(error)
    return true
  }

  /// Fails the prompts that a new front end cannot answer.
  package func rejectUnsupportedPrompts() {
    for prompt in prompts where !canAsk(prompt.kind) {
      _ = refuse(prompt.id, .unsupported(kind: prompt.kind))
    }
  }

  /// Removes the prompts of a screen or part that is about to end, and of its parts. Canceling its
  /// effects is not enough: an effect that outlives the screen or a plain `Task` may wait for a
  /// prompt, too.
  func withdrawPrompts(of nodes: [ScreenNode]) {
    for prompt in prompts where nodes.contains(where: { $0 === prompt.node }) {
      withdraw(prompt.id)
      prompt.fail(CancellationError())
    }
  }

  private func withdraw(_ id: PromptID) {
    guard let index = prompts.firstIndex(where: { $0.id == id }) else { return }
    prompts.remove(at: index)
    changed(id)
  }
}

/// A question to the user or the device. It is part of the document until it is answered.
/// ```swift
/// extension Prompt where Answer == Bool {
///   static func lend(_ book: Book) -> Self { Prompt("lend", LoanRequest(title: book.title)) }
/// }
/// if try await effects.ask(.lend(book)) { lend(book) }
/// ```
public struct Prompt<Answer: Codable & Sendable>: Sendable {
  package let kind: String
  /// The content as the JSON text of an object.
  package let params: [UInt8]
  /// Messages about values in the params that JSON cannot express.
  let failures: [String]
  /// Why it is not asked at all, such as an address that must not be opened; nil if it is.
  var refusal: String?
  /// Returns the answer in what the front end sends.
  var decode: @Sendable (JSONView) throws(JSONMismatch) -> Answer = { try $0.decode(Answer.self) }
  /// Returns what is wrong with an answer of the right type; nil if it is valid.
  package var mismatch: @Sendable (Answer) -> JSONMismatch? = { _ in nil }

  /// Creates a question: its name on the wire, such as `lend`, and the content to show.
  public init(_ kind: String, _ params: some Encodable) {
    self.kind = kind
    var writer = JSONWriter()
    writer.value(params, of: "The prompt \"\(kind)\"")
    self.params = Array(writer.bytes)
    failures = writer.failures
  }

  /// Creates a question without content.
  public init(_ kind: String) { self.init(kind, Empty()) }
}

/// Why a prompt has no answer.
public enum PromptError: Error, Hashable, CustomStringConvertible {
  /// The front end did not announce this kind of prompt.
  case unsupported(kind: String)
  /// The user or the device refused, with a message; or the core, as for an address that
  /// ``Prompt/openURL(_:)`` does not open.
  case refused(message: String)
  /// It was closed without an answer.
  case dismissed

  /// A message that can be shown to the user.
  public var description: String {
    switch self {
    case .unsupported(let kind): "the front end cannot answer \"\(kind)\""
    case .refused(let message): message
    case .dismissed: "closed without an answer"
    }
  }
}

/// A kind of prompt, for the description of an app.
///
/// Front ends draw a kind that they do not know from the types of its content and answer, with the
/// label of the kind as the title: that of `lend` has the key `LendPrompt`.
public struct PromptDescription: Sendable {
  package let kind: String
  /// The title of a kind that the app does not label; nil for one derived from the name.
  let title: LocalizedText?
  package let params: @Sendable (SchemaCatalog) throws(PortError) -> JSON
  package let answer: @Sendable (SchemaCatalog) throws(PortError) -> JSON

  /// Describes a kind by its name on the wire, and the types of its content and answer.
  public init<Params: Decodable & SendableMetatype, Answer: Decodable & SendableMetatype>(
    _ kind: String, params: Params.Type = Empty.self, answer: Answer.Type,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(kind, title: nil, params: params, answer: answer, fileID, line)
  }

  /// Describes a kind with its title in English and Korean.
  init<Params: Decodable & SendableMetatype, Answer: Decodable & SendableMetatype>(
    _ kind: String, title: (english: String, korean: String)?, params: Params.Type = Empty.self,
    answer: Answer.Type, _ fileID: StaticString = #fileID, _ line: UInt = #line
  ) {
    self.kind = kind
    self.title = title.map { title in
      LocalizedText { $0.language == "ko" ? title.korean : title.english }
    }
    self.params = { catalog throws(PortError) in
      try catalog.at(fileID, line) { () throws(PortError) in
        try catalog.schema(of: Params.self, for: "the params of the prompt \"\(kind)\"")
      }
    }
    self.answer = { catalog throws(PortError) in
      try catalog.at(fileID, line) { () throws(PortError) in
        try catalog.schema(of: Answer.self, for: "the answer to the prompt \"\(kind)\"")
      }
    }
  }

  /// What a front end announces instead of kinds if it draws every prompt from its description.
  static let everyKind = "*"

  /// The prompts that every front end supports.
  package static let builtIn = [
    PromptDescription(
      "alert", title: ("Alert", "알림"), params: Dialog.self, answer: Dialog.Answer.self),
    PromptDescription(
      "confirmationDialog", title: ("Confirmation", "확인"), params: Dialog.self,
      answer: Dialog.Answer.self),
  ]
}

/// The id of a prompt: `q1`, `q2`, and so on. Ids are never reused during a run.
package typealias PromptID = String

package struct WaitingPrompt {
  package let id: PromptID
  package let kind: String
  let node: ScreenNode
  /// The work that waits for the answer; nil for a plain `Task`.
  let effect: Effect?
  package let params: [UInt8]
  /// Delivers an answer. Throws if it has another shape.
  let answer: @CoreActor (JSONView) throws(JSONMismatch) -> Void
  let fail: @CoreActor (any Error) -> Void

  package var screen: ScreenID { node.id }

  var state: JSON {
    [
      "id": .string(id), "screen": .string(screen.description), "kind": .string(kind),
      "params": .string(String(decoding: params, as: UTF8.self)),
    ]
  }

  /// True if every front end draws it over the screen.
  var isDialog: Bool { PromptDescription.builtIn.contains { $0.kind == kind } }
}
