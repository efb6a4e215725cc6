/// What a front end says of itself when it initializes.
struct FrontEnd {
  /// The prompt kinds that it can answer.
  var capabilities: Set<String> = []
  /// BCP 47, such as `ko-KR`.
  var locale: String?
  /// IANA, such as `Asia/Seoul`.
  var timeZone: String?
}

/// What the core says of itself.
package struct AppInfo: Sendable {
  package let name: String
  package let version: String
}

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
