/// Something that a person did, for those who want to know how the app is used.
public struct TrackedEvent: Codable, Hashable, Sendable {
  /// The screen's kind and its input, such as `explore.avatarTapped`.
  public let name: String
  public let parameters: [String: String]

  public init(_ name: String, _ parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

/// Keeps what was tracked.
public protocol EventTracker: Sendable {
  /// Notes an event at once, in the order of the calls. It cannot fail: nothing that a person does
  /// may depend on whether it was tracked.
  /// - Parameter at: seconds since 1970.
  func track(_ event: TrackedEvent, at: Int)

  /// Waits until all that was noted is kept.
  func flush() async

  /// The newest events, the newest first.
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func newest(_ limit: Int) async throws -> [TrackedEventRow]
}

/// A tracked event as dev settings show it.
public struct TrackedEventRow: Identifiable, Codable, Hashable, Sendable {
  /// Counted up from 1.
  public let id: Int
  public let name: String
  public let parameters: [String: String]
  /// Seconds since 1970.
  public let at: Int

  public init(id: Int, name: String, parameters: [String: String], at: Int) {
    self.id = id
    self.name = name
    self.parameters = parameters
    self.at = at
  }
}
