package import Offstage

/// An analytics event.
package struct TrackedEvent: Codable, Hashable, Sendable {
  /// The screen's kind and its input, such as `explore.avatarTapped`.
  package let name: String
  package let parameters: [String: String]

  package init(_ name: String, _ parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

/// Records analytics events.
package protocol EventTracker: Sendable {
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
package struct TrackedEventRow: Identifiable, Codable, Hashable, Sendable {
  /// Counted up from 1.
  package let id: Int
  package let name: String
  package let parameters: [String: String]
  /// Seconds since 1970.
  package let at: Int

  package init(id: Int, name: String, parameters: [String: String], at: Int) {
    self.id = id
    self.name = name
    self.parameters = parameters
    self.at = at
  }
}

extension TrackedEventRow: SchemaAnnotated {
  package static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.at: .unixTime]
  }
}
