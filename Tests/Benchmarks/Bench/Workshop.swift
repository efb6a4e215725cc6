import OffstageSystem
import TestSupport

/// Builds and starts the programs to compare.
///
/// A missing peer is not a failure: an error message mentions it once, and its ratios are omitted.
final class Workshop {
  let rounds: Int
  let hasNode: Bool
  private let appPath: String
  private let peers: String
  private let echoPath: String?
  private let diffPath: String?
  private let folder: String

  init(_ options: Options) throws {
    rounds = options.rounds
    appPath = options.app
    peers = options.peers
    guard access(appPath, X_OK) == 0 else {
      throw BenchError.usage("no bench-app at \(appPath): build it with swift build -c release")
    }
    hasNode = (try? Self.succeeds(["node", "--version"])) == true
    if !hasNode { printError("node is missing: the ratios against it are left out") }

    var template = Array("/tmp/bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchError.system("mkdtemp", errno) }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    echoPath = Self.build("\(folder)/echo", "cc", peers + "/echo.c")
    // Debian has the library as nlohmann-json3-dev.
    diffPath = Self.build("\(folder)/diff", "c++", "-std=c++17", peers + "/diff.cpp")
  }

  /// Starts a `bench-app`, and returns it after it has answered `initialize`.
  func app(root: String, _ options: String...) throws -> Dialogue {
    try initialized([appPath, "--root", root] + options)
  }

  /// Starts a `bench-app` that keeps its state in the folder.
  func keepingApp(root: String) throws -> Dialogue {
    try initialized([appPath, "--root", root, "--state", statePath])
  }

  private var statePath: String { "\(folder)/state" }

  func echo() throws -> Dialogue? {
    try echoPath.map { Dialogue(try Child([$0])) }
  }

  /// Starts the diff of nlohmann's JSON library.
  func diff() throws -> Dialogue? {
    try diffPath.map { Dialogue(try Child([$0])) }
  }

  /// Starts a Node loop, and returns it after it has answered `initialize`.
  func node(_ script: String) throws -> Dialogue? {
    hasNode ? try initialized(["node", "\(peers)/\(script)"]) : nil
  }

  private func initialized(_ command: [String]) throws -> Dialogue {
    let program = Dialogue(try Child(command))
    _ = try program.exchange(Request.initialize)
    return program
  }

  func close() {
    for path in [echoPath, diffPath] { if let path { unlink(path) } }
    for name in ["state.json", "journal"] { unlink("\(statePath)/\(name)") }
    rmdir(statePath)
    rmdir(folder)
  }

  /// Compiles a peer; nil if that fails.
  private static func build(_ program: String, _ command: String...) -> String? {
    if (try? succeeds(command + ["-O2", "-o", program])) == true { return program }
    printError("\(command.joined(separator: " ")) failed: the ratios against it are left out")
    return nil
  }

  private static func succeeds(_ command: [String]) throws -> Bool {
    try Child(command).end() == .exited(0)
  }
}
