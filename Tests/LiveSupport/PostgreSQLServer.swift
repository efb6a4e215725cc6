import Foundation
import OffstageLive
package import OffstagePostgreSQL
import OffstageSystem
import Synchronization
import TestSupport

/// A PostgreSQL server of this process, in a temporary directory. It ends with the process, however that
/// ends.
package final class PostgreSQLServer: Sendable {
  /// The server that tests share. Each has a schema of its own.
  package static let shared = Result { try PostgreSQLServer() }

  private let directory: TemporaryDirectory
  private let process: ChildProcess
  private let schemas = Atomic(0)

  /// - Throws: ``PostgreSQLServerError`` with what the server has printed.
  package init() throws {
    directory = try TemporaryDirectory()
    process = try ChildProcess("/bin/sh", ["-c", Self.script, "sh", directory.url.path])
    try waitUntilReady()
  }

  // An unreaped child would keep Swift Testing from noticing the end of its own.
  deinit { _ = try? process.finish() }

  /// Starts, stops, or restarts the server as after a power cut: `start`, `stop`, or `restart`.
  package func control(_ command: String) throws {
    let line = Array("\(command)\n".utf8)
    _ = line.withUnsafeBytes { systemWrite(process.input, $0) }
    try waitUntilReady()
  }

  private func waitUntilReady() throws {
    var printed = ""
    while !printed.hasSuffix("ready\n") {
      let data = readAvailable(from: process.output)
      guard !data.isEmpty else { throw PostgreSQLServerError(description: printed) }
      printed += String(decoding: data, as: UTF8.self)
    }
  }

  /// Runs the server until the input ends. It refuses to run as root.
  private static let script = """
    # The tests change the umask now and then, and a child gets it.
    umask 077 && chmod 700 "$1" && cd "$1" && mkdir data && exec 2>&1
    programs=$(ls -d /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin 2>/dev/null | tail -1)
    PATH=$PATH:$programs
    as() { "$@"; }
    if [ "$(id -u)" = 0 ]; then
      chown -R postgres .
      as() { runuser -u postgres -- env PATH="$PATH" "$@"; }
    fi
    as initdb -D data --auth trust --no-sync --username tester --locale C.UTF-8 >/dev/null || exit
    options="-k $1 -c listen_addresses= -c fsync=off"
    as pg_ctl -D data -l log -o "$options" -w start >/dev/null || exit
    echo ready
    while read command; do
      case $command in start) mode= ;; *) mode="-m immediate" ;; esac
      as pg_ctl -D data -l log -o "$options" $mode -w "$command" >/dev/null && echo ready || break
    done
    as pg_ctl -D data -m immediate -w stop >/dev/null
    rm -rf "$1"
    """

  /// Returns the address of a new, empty schema.
  package func makeSchema() throws -> ServerAddress {
    let name = "schema\(schemas.wrappingAdd(1, ordering: .relaxed).newValue)"
    try Connection(PostgreSQLDriver(ServerAddress(address("public"))))
      .execute(script: "CREATE SCHEMA \(name)")
    return try ServerAddress(address(name))
  }

  private func address(_ schema: String) -> String {
    let folder = directory.url.path.replacing("/", with: "%2F")
    return "postgresql://tester@\(folder)/postgres?options=-c%20search_path%3D\(schema)"
  }
}

package struct PostgreSQLServerError: Error, CustomStringConvertible {
  package let description: String
}
