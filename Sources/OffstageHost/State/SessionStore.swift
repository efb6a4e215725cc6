/// Keeps the sessions of hosts that share it, so that any of them can go on with each.
///
/// A session belongs to the host that has taken it last. Each time, its epoch grows, and what a host writes
/// in an earlier one is refused: a host that was stopped for a while overwrites nothing. A host takes a
/// session as soon as its front end comes.
public protocol SessionStore: Sendable {
  /// Takes a session from the host that has it.
  /// - Returns: nil for an unknown session.
  func take(_ session: String, of visitor: String) async throws -> KeptSession?

  /// Writes what has happened in sessions, all of it or nothing.
  /// - Returns: The sessions that other hosts have taken, of which nothing was written.
  func write(_ changes: [SessionChange]) async throws -> Set<String>

  /// Returns the sessions that no host has taken or begun for so many seconds, and their visitors.
  func unused(for seconds: Int) async throws -> [(session: String, visitor: String)]

  /// Returns true if a visitor has no other session.
  func isLast(_ session: String, of visitor: String) async throws -> Bool

  func remove(_ session: String) async throws
}

/// That a host has a session, until another one takes it.
///
/// A transaction that is for the session checks the lease, so that a host which has lost it changes nothing;
/// see `StoredSessions`.
public struct SessionLease: Sendable {
  public let session: String
  /// Grows each time that a host takes the session. A new one begins with 1.
  public let epoch: Int
}

/// A session as a store has kept it.
public struct KeptSession: Sendable {
  /// The epoch of the host that has taken it.
  public let epoch: Int
  /// The changes in order, as they were written; see ``SessionChange/patch``.
  public let changes: [String]
  /// The number of the last one.
  public let last: Int
  /// The number of times that hosts have taken it, this one included, since the last good start.
  public let starts: Int

  public init(epoch: Int, changes: [String], last: Int, starts: Int) {
    (self.epoch, self.changes, self.last, self.starts) = (epoch, changes, last, starts)
  }
}

/// A change of a session's state.
public struct SessionChange: Sendable {
  public enum Kind: Sendable {
    /// Follows the changes before it.
    case part
    /// Replaces the whole state, so that the changes before it are needed no more.
    case whole
    /// Changes nothing: the start in this epoch was a good one. It counts even if another host has taken
    /// the session meanwhile, as it does during an update.
    case rest
  }

  /// That of the host that writes it.
  public let lease: SessionLease
  public let visitor: String
  /// Follows that of the change before; the same for ``Kind/rest``.
  public let number: Int
  public let kind: Kind
  /// A JSON Patch (RFC 6902) as JSON text; empty for ``Kind/rest``.
  public let patch: String
}
