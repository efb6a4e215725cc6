/// Whether the app reminds of itself.
enum NotificationStatus: String, Codable, CaseIterable, Sendable {
  /// The person has not been asked, or has not answered.
  case notAsked
  case on
  case off
}
