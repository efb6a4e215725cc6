public import OffstageLive

extension Database {
  /// Connects to a PostgreSQL database, for data that several processes or machines share.
  ///
  /// The passwords come from `PGPASSWORD`, `PGPASSFILE`, or `~/.pgpass`. A transaction that conflicts with
  /// another one, or whose connection is lost, begins again, so its closure may run several times. While
  /// the server is away, transactions fail with an error that is ``SQLError/isUnreachable``, and later ones
  /// connect again.
  ///
  /// The statements are PostgreSQL's, but for the parameters, which are written as `?`. A U+0000 in a text
  /// becomes a U+FFFD, because PostgreSQL cannot store it.
  /// - Parameters:
  ///   - migrations: The whole history of the schema, oldest first. One process applies them, and the
  ///     others wait.
  ///   - connections: The number of transactions that may run at the same time.
  ///   - mapError: Turns an ``SQLError`` into an error of the app before it is thrown.
  /// - Throws: ``DatabaseOpenError`` if the server cannot be reached, or if the schema does not fit.
  public convenience init(
    _ server: ServerAddress, migrations: [Migration], connections: Int = 8,
    mapError: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) throws(DatabaseOpenError) {
    do {
      try Connection(PostgreSQLDriver(server)).apply(migrations, of: server)
    } catch let error as DatabaseOpenError {
      throw error
    } catch {
      let error = error as? SQLError
      throw error?.isUnreachable == true
        ? .unreachable(server: "\(server)", detail: error?.reason ?? "")
        : .failed(path: "\(server)", detail: error?.message ?? "")
    }
    self.init(
      lanes: (0..<max(connections, 1)).map { _ in
        Lane { Connection(try PostgreSQLDriver(server)) }
      }, mapError: mapError)
  }
}

extension Connection {
  /// Applies the migrations that a server's database lacks, all or none of them. The version of its
  /// schema is in a table of its own.
  fileprivate func apply(_ migrations: [Migration], of server: ServerAddress) throws {
    if try schemaVersion() == migrations.count { return }
    // The end of the connection unlocks it. Only a transaction that begins under the lock is sure to see
    // the tables that another process has just created.
    try execute(
      script: "SET statement_timeout = 0; SELECT pg_advisory_lock(\(Database.applicationID))")
    try execute(script: "BEGIN")
    let version = try schemaVersion()
    guard version <= migrations.count else {
      throw DatabaseOpenError.newerVersion(
        path: "\(server)", found: version, known: migrations.count)
    }
    for migration in migrations.dropFirst(version) { try migration.apply(self) }
    try execute(
      script: """
        CREATE TABLE IF NOT EXISTS offstage_schema (version BIGINT NOT NULL);
        DELETE FROM offstage_schema;
        INSERT INTO offstage_schema VALUES (\(migrations.count));
        COMMIT
        """)
  }

  private func schemaVersion() throws -> Int {
    let isNew: Bool = try value("SELECT to_regclass('offstage_schema') IS NULL")
    return isNew ? 0 : try value("SELECT version FROM offstage_schema")
  }
}
