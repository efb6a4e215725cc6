/// A notification that the device is to show later.
public struct Reminder: Identifiable, Codable, Hashable, Sendable {
  public let id: String
  public let title: String
  public let body: String
  /// Seconds since 1970.
  public let at: Int

  public init(id: String, title: String, body: String, at: Int) {
    self.id = id
    self.title = title
    self.body = body
    self.at = at
  }

  private static let day = 86_400

  /// One reminder for each of the next seven days, at this time of the day.
  static func week(from now: Int) -> [Reminder] {
    let bodies = [
      "Say hello to somebody new.", "Your avatars have been waiting.", "A good day for a chat.",
      "Ask somebody something.", "There is more to explore.", "Somebody would like to hear of you.",
      "A week already: how is everybody?",
    ]
    return bodies.enumerated().map { index, body in
      Reminder(
        id: "reminder-\(index + 1)", title: "Time to chat", body: body,
        at: now + (index + 1) * day)
    }
  }
}

/// Keeps which reminders the device was asked to show.
public protocol ReminderRepository: Sendable {
  /// All, in the order of their time.
  /// - Throws: `LoadFailure`, or `CancellationError`; so does the other.
  func reminders() async throws -> [Reminder]

  /// Keeps these in the place of those before.
  func replace(with reminders: [Reminder]) async throws
}
