import Foundation

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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec 2>&1; " + line]
    process.currentDirectoryURL = directory
    process.standardInput = FileHandle.nullDevice
    var environment = ProcessInfo.processInfo.environment
    environment["S"] = Self.program.path
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
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
