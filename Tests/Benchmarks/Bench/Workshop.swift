import OffstageSystem

/// Builds and starts the programs to compare.
///
/// A missing peer is not a failure: an error message mentions it once, and its ratios are omitted.
final class Workshop {
  let rounds: Int
  let hasNode: Bool
  private let appPath: String
  private let peers: String
  private let echoPath: String?
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
    let program = folder + "/echo"
    let isBuilt = try? Self.succeeds(["cc", "-O2", "-o", program, peers + "/echo.c"])
    echoPath = isBuilt == true ? program : nil
    if echoPath == nil { printError("cc is missing or failed: the C echo is left out") }
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
    if let echoPath { unlink(echoPath) }
    for name in ["state.json", "journal"] { unlink("\(statePath)/\(name)") }
    rmdir(statePath)
    rmdir(folder)
  }

  private static func succeeds(_ command: [String]) throws -> Bool {
    try Child(command).close()
  }
}
