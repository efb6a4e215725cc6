/// What an OpenAI-compatible endpoint is asked: `POST chat/completions`.
struct ChatCompletionRequest: Encodable, Sendable {
  struct Message: Encodable, Sendable {
    var role: String
    var content: String
  }

  var model: String
  var messages: [Message]
  var stream = true
}

/// One event of its answer, with the members that a reply is made of.
struct ChatCompletionChunk: Decodable, Sendable {
  struct Choice: Decodable, Sendable {
    struct Delta: Decodable, Sendable { var content: String? }

    var delta: Delta
  }

  /// What went wrong on the other side after the answer had begun.
  struct Failure: Decodable, Sendable { var message: String }

  var choices: [Choice]?
  var error: Failure?
}
