internal import Offstage

/// A session of a host, and whose it is. One that names no visitor is its own.
struct SessionKey: Hashable, Sendable {
  let visitor: String
  let id: String

  /// Returns true for a name that a visitor can have. Two of them differ on any file system.
  static func isVisitor(_ name: String) -> Bool {
    // To read a regular expression would take a 14th of the time of a resume.
    (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(visitorBytes.contains)
  }

  /// Returns true for an id that a session can have.
  static func isID(_ name: String) -> Bool {
    name.utf8.count == 32 && name.utf8.allSatisfy(idBytes.contains)
  }

  private static let visitorBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
  private static let idBytes = Set("0123456789abcdef".utf8)

  /// True if both names can be those of a session. They come from outside.
  var isPossible: Bool { Self.isVisitor(visitor) && Self.isID(id) }
}

/// Where the sessions of a host are while they are not in memory: in its folder, or in a store that
/// several hosts share.
@CoreActor
protocol SessionHome: AnyObject {
  /// Creates the place of a new session.
  /// - Throws: `FileError`.
  func begin(_ key: SessionKey) throws -> any Place

  /// False while a session that has just left this host is not all there yet.
  func mayFind(_ key: SessionKey) -> Bool

  /// Looks for an earlier session, which is this host's from then on.
  /// - Returns: Its place, which has a state; nil for an unknown session.
  /// - Throws: An error if its home is away, or if another process has it.
  func find(_ key: SessionKey) async throws -> (any Place)?

  /// Notes that a session has left the memory.
  /// - Parameter isUnknown: True if no front end has been told its id, and none can come back.
  func ended(_ key: SessionKey, isUnknown: Bool)

  /// Returns the sessions that have not been used for so long.
  func unused(for time: Duration) async throws -> [SessionKey]

  /// Returns true if a visitor has no other session.
  func isLast(_ key: SessionKey) async throws -> Bool

  func remove(_ key: SessionKey) async throws

  /// The number of sessions; nil if it is not only this host's.
  var count: Int? { get }

  /// True if everything has been written, or cannot be.
  var canEnd: Bool { get }

  /// Called by the loop.
  func handleNext()

  func addWaits(to waits: inout Waits)
}

extension SessionHome {
  func mayFind(_ key: SessionKey) -> Bool { true }
  var canEnd: Bool { true }
  func handleNext() {}
  func addWaits(to waits: inout Waits) {}
}
