import OffstageJSON
import Showcase

/// The body of `POST chat/completions` at an OpenAI-compatible server.
struct ChatCompletionRequest: Encodable, Sendable {
  struct Message: Encodable, Sendable {
    var role: String
    var content: String
  }

  var model: String
  var messages: [Message]
  var stream = true
}

/// The members of a response, or of one event in a stream, that make up a reply. Servers omit
/// unused members or set them to null.
struct ChatCompletionChunk: Decodable, Sendable {
  struct Choice: Decodable, Sendable {
    struct Text: Decodable, Sendable {
      var content: String?
      /// The model's words for what it does not answer.
      var refusal: String?

      var all: String { (content ?? "") + (refusal ?? "") }
    }

    /// The position among several replies to one request, from 0; nil if the server sends only one.
    var index: Int?
    /// A piece of the reply, in a stream.
    var delta: Text?
    /// The whole reply, from a server that does not stream.
    var message: Text?
    /// Why the reply ended; null or empty until then.
    var finishReason: String?

    enum CodingKeys: String, CodingKey {
      case index, delta, message
      case finishReason = "finish_reason"
    }

    var text: String { delta?.all ?? message?.all ?? "" }
  }

  var choices: [Choice]?
  /// The error that ended the reply. Some servers send it along with choices.
  var error: ChatError?

  private enum CodingKeys: CodingKey {
    case choices, error
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    choices = try container.decodeIfPresent([Choice].self, forKey: .choices)
    if container.contains(.error), try !container.decodeNil(forKey: .error) {
      error = (try? container.decode(ChatError.self, forKey: .error)) ?? .unexplained
    }
  }
}

/// An error as the server describes it: `{"error": {"message": …}}` or `{"error": …}`, and
/// `{"message": …}` or `{"detail": …}` from web frameworks.
struct ChatError: Decodable, Sendable {
  /// An error without a message.
  static let unexplained = ChatError("an error without a message")

  private(set) var message: String
  /// The HTTP status in the error's `code`, if any.
  private var status: Int?
  private var codes = ""

  init(_ message: String) { self.message = message }

  /// Returns the reason, as known servers word it; nil for any other error.
  /// - Parameter status: The status of the response; nil for an error inside a stream.
  func reason(status: Int?) -> LoadFailure.Reason? {
    let text = (message + codes).lowercased()
    switch status ?? self.status ?? 400 {
    case 400 where text.contains(Self.tooLong), 413 where text.contains(Self.tooLong):
      return .tooLong
    case 400 where text.contains(Self.filtered): return .filtered
    case 402: return .quota
    case 400 where text.contains(Self.quota), 429 where text.contains(Self.quota): return .quota
    case 400 where text.contains(Self.modelNotFound): return .modelNotFound
    case 404, 410: return text.contains("model") ? .modelNotFound : .wrongAddress
    default: return nil
    }
  }

  private static var tooLong: Regex<Substring> {
    /context[ _\-](?:length|size|window|limit)|(?:prompt|input) is too long|too many tokens/
  }
  private static var filtered: Regex<Substring> { /content[ _](?:filter|policy)/ }
  private static var quota: Regex<Substring> {
    /insufficient[ _](?:quota|balance|credits?|funds)|exceeded your current quota/
  }
  private static var modelNotFound: Regex<Substring> {
    /model_not_found|\bmodel\b.*(?:not found|not exist)|not a valid model|(?:unknown|invalid) model/
  }

  private enum Key: CodingKey {
    case message, detail, error, code, type
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      message = text
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    if let inner = try? container.decode(ChatError.self, forKey: .error) {
      self = inner
      return
    }
    message =
      try (try? container.decode(String.self, forKey: .detail))
      ?? container.decode(String.self, forKey: .message)
    status = try? container.decode(Int.self, forKey: .code)
    for key in [Key.code, .type] {
      codes += " " + ((try? container.decode(String.self, forKey: key)) ?? "")
    }
  }
}
