package import Foundation
package import OffstageSystem

/// Runs the program in its own directory, either directly or from shell lines.
package struct ProgramShell {
  package let directory: TemporaryDirectory

  package init() throws { directory = try TemporaryDirectory() }

  /// Runs a shell line in the directory, with the program as `$S` and an empty input.
  package func run(_ line: String) throws -> (status: Int32, output: String) {
    // Foundation's `Process` has crashed in `run` while other tests were running.
    try ChildProcess(
      "/bin/sh", ["-c", "cd \"$D\" || exit; exec 2>&1; " + line],
      adding: ["D=\(directory.url.path)", "S=\(Self.program.path)"]
    ).finish()
  }

  /// Starts the program, with the directory for temporary files.
  package func start(_ arguments: [String]) throws -> ChildProcess {
    var variables = ProcessInfo.processInfo.environment
    variables["TMPDIR"] = directory.url.path
    return try ChildProcess(
      Self.program.path, arguments, environment: variables.map { "\($0)=\($1)" })
  }

  /// The program of the same build as the tests.
  package static let program = {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (tests ?? .main).bundleURL.deletingLastPathComponent().appendingPathComponent(
        "showcase")
    #else
      return Bundle.main.bundleURL.appendingPathComponent("showcase")
    #endif
  }()
}
