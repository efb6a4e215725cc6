/// An analytics event.
public struct TrackedEvent: Codable, Hashable, Sendable {
  /// The screen's kind and its input, such as `explore.avatarTapped`.
  public let name: String
  public let parameters: [String: String]

  public init(_ name: String, _ parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

/// Records analytics events.
public protocol EventTracker: Sendable {
  /// Records an event, in the order of the calls. It cannot fail: no feature may depend on tracking.
  /// - Parameter at: seconds since 1970.
  func track(_ event: TrackedEvent, at: Int)

  /// Waits until all recorded events are saved.
  func flush() async

  /// Returns the newest events, newest first.
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func newest(_ limit: Int) async throws -> [TrackedEventRow]
}

/// A recorded event.
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
