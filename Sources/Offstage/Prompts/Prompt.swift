package import OffstageJSON

/// A question to the person or the device. It stands in the document until it is answered.
///
/// ```swift
/// extension Prompt where Answer == Location {
///   static var currentLocation: Self { Prompt("location.current") }
/// }
/// let here = try await prompts.ask(.currentLocation)
/// ```
public struct Prompt<Answer: Codable & Sendable>: Sendable {
  package let kind: String
  /// What it says, as JSON text of an object.
  package let params: [UInt8]
  /// What of the params could not be written, in words.
  let failures: [String]
  /// Nil for a good answer, else what was expected.
  package var objection: @Sendable (Answer) -> String? = { _ in nil }

  /// - Parameters:
  ///   - kind: its name on the wire, such as `location.current`.
  ///   - params: what a front end needs to know to ask.
  public init(_ kind: String, _ params: some Encodable) {
    self.kind = kind
    var writer = JSONWriter()
    writer.value(params, of: "The prompt \"\(kind)\"")
    self.params = Array(writer.bytes)
    failures = writer.failures
  }

  /// A question without particulars.
  public init(_ kind: String) { self.init(kind, Empty()) }
}

/// Why a prompt has no answer.
public enum PromptError: Error, Hashable, CustomStringConvertible {
  /// The front end did not announce that it can ask this.
  case unsupported(kind: String)
  /// The person or the device refused, with its own words.
  case refused(message: String)
  /// It was closed without an answer.
  case dismissed

  /// What happened, in words that can be shown.
  public var description: String {
    switch self {
    case .unsupported(let kind): "the front end cannot answer \"\(kind)\""
    case .refused(let message): message
    case .dismissed: "closed without an answer"
    }
  }
}

/// What a prompt asks and takes, for the description of an app.
public struct PromptDescription: Sendable {
  package let kind: String
  package let params: @Sendable () throws -> JSON
  package let answer: @Sendable () throws -> JSON

  /// - Parameters:
  ///   - kind: its name on the wire.
  ///   - params: what it carries.
  ///   - answer: what a front end answers.
  public init<Params: Decodable & SendableMetatype, Answer: Decodable & SendableMetatype>(
    _ kind: String, params: Params.Type = Empty.self, answer: Answer.Type
  ) {
    self.kind = kind
    self.params = { try Schema.of(Params.self) }
    self.answer = { try Schema.of(Answer.self) }
  }

  /// The prompts that every front end draws.
  package static let everywhere = [
    PromptDescription("alert", params: Dialog.self, answer: Dialog.Answer.self),
    PromptDescription("confirmationDialog", params: Dialog.self, answer: Dialog.Answer.self),
  ]
}
