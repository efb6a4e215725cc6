/// Small things that the app remembers, by name.
public protocol SettingsRepository: Sendable {
  /// - Throws: `LoadFailure`, or `CancellationError`; so does the other.
  func setting(_ name: String) async throws -> String?

  /// - Parameter value: nil to forget it.
  func set(_ name: String, to value: String?) async throws
}
