/// The value of an input that only happens: a tap, a pull to refresh.
public struct Trigger: Codable, Hashable, Sendable {
  /// It has happened.
  public init() {}
}
