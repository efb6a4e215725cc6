/// The bounds within which a session stays, whatever comes in.
package struct Limits: Hashable, Sendable {
  /// Bytes of one line.
  package var line = 16 << 20
  /// How many arrays and objects may stand within one another.
  package var depth = 512
  /// How many requests may wait for their responses.
  package var inFlight = 1024

  package init() {}
}
