import Testing

/// A line that is sent, and what is written then.
struct Example: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sent: String
  /// Nil where nothing is written.
  let answered: String?

  init(_ name: String, _ sent: String, _ answered: String?) {
    testDescription = name
    self.sent = sent
    self.answered = answered
  }
}
