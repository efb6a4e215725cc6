import OffstageSystem
import TestSupport

/// Builds and starts the programs to compare.
///
/// A missing peer is not a failure: an error message mentions it once, and its ratios are omitted.
final class Workshop {
  let rounds: Int
  let hasNode: Bool
  private let hasNeovim: Bool
  private let showcasePath: String
  private let appPath: String
  private let peers: String
  private let echoPath: String?
  private let diffPath: String?
  private let folder: String

  init(_ options: Options) throws {
    rounds = options.rounds
    appPath = options.app
    peers = options.peers
    showcasePath = options.showcase
    guard access(appPath, X_OK) == 0 else {
      throw BenchError.usage("no bench-app at \(appPath): build it with swift build -c release")
    }
    hasNode = (try? Self.succeeds(["node", "--version"])) == true
    if !hasNode { printError("node is missing: the ratios against it are left out") }
    hasNeovim = (try? Self.succeeds(["nvim", "--version"])) == true
    if !hasNeovim { printError("nvim is missing: the ratio against it is left out") }

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

  /// Starts Neovim, which answers requests in MessagePack.
  func neovim() throws -> Dialogue? {
    hasNeovim ? Dialogue(try Child(["nvim", "--clean", "--headless", "--embed"])) : nil
  }

  /// Starts the showcase on a data directory, where it keeps its state, too, and returns it after it
  /// has answered `initialize`.
  func showcase(data: String) throws -> Dialogue {
    try initialized([showcasePath, "--data", data, "--state", data + "/state"])
  }

  /// Calls `body` with two data directories of the showcase: without imported places, and with
  /// this number of them.
  func withPlaces(_ count: Int, _ body: (_ none: String, _ all: String) throws -> Void) throws {
    guard access(showcasePath, X_OK) == 0 else {
      throw BenchError.usage(
        "no showcase at \(showcasePath): build it with swift build -c release --product showcase")
    }
    let (file, none, all) = ("\(folder)/places.json", "\(folder)/none", "\(folder)/all")
    defer { _ = try? Child(["rm", "-r", "-f", file, none, all]).end() }
    try Self.write(places: count, to: file)
    guard try Self.succeeds([showcasePath, "import", "places", file, "--data", all]) else {
      throw BenchError.unexpected("the showcase does not import places")
    }
    try body(none, all)
  }

  /// Writes places around Seoul as features of GeoJSON, one on each line.
  private static func write(places count: Int, to path: String) throws {
    guard let file = fopen(path, "w") else { throw BenchError.system("fopen", errno) }
    defer { fclose(file) }
    var random = Random(seed: 1)
    for index in 0..<count {
      let longitude = "126.\(random.next(below: 900_000) + 100_000)"
      let latitude = "37.\(random.next(below: 900_000) + 100_000)"
      let feature = """
        {"type":"Feature","id":"p\(index)","geometry":{"type":"Point","coordinates":\
        [\(longitude),\(latitude)]},"properties":{"name":"Place \(index)","category":"cafe"}}

        """
      guard fputs(feature, file) >= 0 else { throw BenchError.system("fputs", errno) }
    }
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
