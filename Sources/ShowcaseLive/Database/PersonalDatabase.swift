package import OffstageHost
package import OffstageLive
internal import OffstagePostgreSQL
package import Showcase
import Synchronization

/// What a database keeps for one visitor, who sees nothing of the others.
///
/// Each row belongs to an owner: an account of the visitor, the guest, or the device. Those of all
/// visitors have different ids, so a statement that names its owner reads no other visitor's rows.
package final class PersonalDatabase: Sendable {
  package let database: Database
  /// The visitor's name; empty for the only one who uses the database.
  package let visitor: String
  /// The visitor's number; nil until the first transaction.
  private let number = Mutex<Int?>(nil)
  /// The visitor's transactions run in order.
  private let lane: Int

  /// Must still hold when the visitor's rows change; nil without other hosts.
  private let lease: SessionLease?

  /// - Parameters:
  ///   - visitor: Who uses the app; nil for the only one who uses this database.
  ///   - lease: Must still hold when the visitor's rows change; nil without other hosts.
  package init(_ database: Database, visitor: String? = nil, lease: SessionLease? = nil) {
    (self.database, self.visitor, self.lease) = (database, visitor ?? "", lease)
    lane = Int(truncatingIfNeeded: self.visitor.utf8.fnv1a) & .max
  }

  /// Reads rows of an owner, whose id `body` gets.
  /// - Throws: `LoadFailure` (`accountChanged`) for an account that is not signed in, `LoadFailure` for
  ///   a database that fails, `CancellationError`, or any error that `body` throws.
  package nonisolated(nonsending) func read<Value: Sendable>(
    as owner: Owner, _ body: @escaping @Sendable (Connection, Int) throws -> Value
  ) async throws -> Value {
    let value = try await database.read(on: lane) { [self] connection -> Value? in
      guard let number = try knownNumber(connection) else { return nil }
      return try body(connection, connection.id(of: owner, number))
    }
    if let value { return value }
    try await write(as: .device) { _, _ in }
    return try await read(as: owner, body)
  }

  /// Changes rows of an owner, whose id `body` gets, all or none of them.
  /// - Throws: The same errors as ``read(as:_:)``.
  @discardableResult
  package nonisolated(nonsending) func write<Value: Sendable>(
    as owner: Owner, _ body: @escaping @Sendable (Connection, Int) throws -> Value
  ) async throws -> Value {
    try await database.write(on: lane) { [self] in try perform(as: owner, $0, body) }
  }

  /// Starts a write ahead of all later ones, without waiting for it or reporting its failure.
  package func enqueue(
    as owner: Owner, _ body: @escaping @Sendable (Connection, Int) throws -> some Sendable
  ) {
    database.enqueue(on: lane) { [self] in try perform(as: owner, $0, body) }
  }

  private func perform<Value>(
    as owner: Owner, _ connection: Connection, _ body: (Connection, Int) throws -> Value
  ) throws -> Value {
    try connection.check(lease)
    let number = try knownNumber(connection) ?? connection.addVisitor(visitor)
    return try body(connection, connection.id(of: owner, number))
  }

  /// Removes the visitor, with the accounts and everything that belongs to their owners.
  package nonisolated(nonsending) func forget() async throws {
    try await database.write(on: lane) { [visitor] connection in
      for table in Self.ownedTables + ["reminders"] {
        try connection.execute(
          """
          DELETE FROM \(table) WHERE owner IN (SELECT owner FROM owners WHERE visitor = ?)
          """, visitor)
      }
      try connection.execute(
        """
        DELETE FROM accounts WHERE visitor = (SELECT number FROM visitors WHERE name = ?)
        """, visitor)
      try connection.execute("DELETE FROM visitors WHERE name = ?", visitor)
    }
  }

  /// Returns the id of the visitor's device, in a write.
  func device(_ connection: Connection) throws -> Int {
    OwnerID.device(
      try connection.value("SELECT number FROM visitors WHERE name = ?", visitor))
  }

  /// Returns nil for a visitor who has not been here before.
  ///
  /// Call it at the start of a transaction: a number that the transaction itself has given is not the
  /// visitor's before the end.
  private func knownNumber(_ connection: Connection) throws -> Int? {
    if let known = number.withLock(\.self) { return known }
    let found: Int? = try connection.first("SELECT number FROM visitors WHERE name = ?", visitor)
    if let found { number.withLock { $0 = found } }
    return found
  }
}

/// The numbers of owners, which the view `owners` lists by visitor. Accounts have positive ids. Each
/// visitor has two more owners, the guest and the device, whose ids follow from the visitor's number.
enum OwnerID {
  static func guest(_ visitor: Int) -> Int { -2 * visitor }
  static func device(_ visitor: Int) -> Int { -2 * visitor - 1 }
}

extension Connection {
  /// - Throws: `LoadFailure` (`accountChanged`) unless the owner is signed in, so that nothing is read
  ///   or written for one who no longer is.
  fileprivate func id(of owner: Owner, _ visitor: Int) throws -> Int {
    if owner == .device { return OwnerID.device(visitor) }
    let guest = OwnerID.guest(visitor)
    let account: Int? =
      try row("SELECT account FROM visitors WHERE number = ?", visitor) { try $0[0] as Int? } ?? nil
    let signedIn = account ?? guest
    let id =
      switch owner {
      case .guest, .device: guest
      case .account(let id): id
      case .signedIn: signedIn
      }
    guard id == signedIn else {
      throw LoadFailure(
        .accountChanged, "Owner \(signedIn) is signed in, and not \(id).", retryable: false)
    }
    return id
  }

  fileprivate func addVisitor(_ name: String) throws -> Int {
    let number: Int = try value("INSERT INTO visitors (name) VALUES (?) RETURNING number", name)
    try addLibrarySamples(for: OwnerID.guest(number))
    return number
  }
}
