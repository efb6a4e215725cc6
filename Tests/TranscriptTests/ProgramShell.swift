import Foundation
import OffstageSystem
import TestSupport

/// Runs the program from shell lines, in a directory of its own.
struct ProgramShell {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("showcase-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: directory) }

  /// Runs a shell line in the directory, with the program as `$S` and an empty input.
  func run(_ line: String) throws -> (status: Int32, output: String) {
    // Foundation's `Process` has crashed in `run` while other tests ran beside it.
    try ChildProcess(
      "/bin/sh", ["-c", "cd \"$D\" || exit; exec 2>&1; " + line],
      adding: ["D=\(directory.path)", "S=\(Self.program.path)"]
    ).finish()
  }

  /// The program of the same build as the tests.
  static let program = {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (tests ?? .main).bundleURL.deletingLastPathComponent().appendingPathComponent(
        "showcase")
    #else
      return Bundle.main.bundleURL.appendingPathComponent("showcase")
    #endif
  }()
}
