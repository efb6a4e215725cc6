internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// The package that this program is built from.
struct WatchedPackage {
  /// The path of the program, in the folder of its build.
  let executable: String
  private let folder: String
  private let configuration: String
  private let scratch: String
  /// The folders of the package and of its local dependencies.
  private let folders: [String]

  /// - Parameter folder: The folder of the package; nil for the one that contains the build.
  init(folder: String?) throws(UsageError) {
    guard let path = realpath(ChildProcess.ownPath, nil) else {
      throw UsageError("--watch: cannot find the path of \(CommandLine.arguments[0])")
    }
    defer { free(path) }
    executable = String(cString: path)
    let build = PrivateFiles.directory(of: executable)
    configuration = Self.name(of: build)
    guard ["debug", "release"].contains(configuration) else {
      throw UsageError("--watch: \(executable) is not in the folder of a swift build")
    }
    // The folder is usually `.build/PLATFORM/debug`, to which `.build/debug` is a link.
    let parent = PrivateFiles.directory(of: build)
    let platform = Self.name(of: parent)
    let isPlatform = platform.contains("-linux-") || platform.contains("-apple-")
    scratch = isPlatform ? PrivateFiles.directory(of: parent) : parent
    guard let found = folder ?? Self.package(above: scratch) else {
      throw UsageError("--watch: no folder above \(scratch) has a Package.swift; use --package DIR")
    }
    guard access("\(found)/Package.swift", F_OK) == 0 else {
      throw UsageError("--package \(found): no Package.swift")
    }
    self.folder = found
    folders = [found] + Self.dependencies(scratch)
  }

  /// Starts `swift build`, with standard error merged into its output.
  func startBuild() throws(FileError) -> ChildProcess {
    let build = try ChildProcess(
      "swift",
      [
        "build", "--package-path", folder, "--scratch-path", scratch, "-c", configuration,
        "--product", Self.name(of: executable),
      ], ownsSession: true, errors: .merged)
    systemClose(build.input)
    return build
  }

  // MARK: Changes

  /// Returns a value that changes with the manifests and sources of the package.
  func stamp() -> Int {
    var hasher = Hasher()
    for folder in folders {
      add("\(folder)/Package.swift", to: &hasher)
      add("\(folder)/Sources", to: &hasher)
    }
    return hasher.finalize()
  }

  private func add(_ path: String, to hasher: inout Hasher) {
    guard let status = PrivateFiles.status(path) else { return }
    hasher.combine(path)
    guard status.st_mode & S_IFMT == S_IFDIR else {
      hasher.combine(modificationTime(status))
      hasher.combine(status.st_size)
      return
    }
    // Editors keep backups and lock files next to a file.
    for name in (Descriptor.names(in: path) ?? []).sorted()
    where !name.hasPrefix(".") && !name.hasSuffix("~") {
      add("\(path)/\(name)", to: &hasher)
    }
  }

  /// Returns a value that changes when the program is linked again.
  func programStamp() -> Int {
    PrivateFiles.status(executable).map(modificationTime) ?? 0
  }

  // MARK: Paths

  private static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private static func package(above path: String) -> String? {
    var folder = PrivateFiles.directory(of: path)
    while folder != "/" {
      if access("\(folder)/Package.swift", F_OK) == 0 { return folder }
      folder = PrivateFiles.directory(of: folder)
    }
    return nil
  }

  /// Returns the local packages among the dependencies, as resolved by SwiftPM.
  private static func dependencies(_ scratch: String) -> [String] {
    guard let bytes = try? PrivateFiles.read("\(scratch)/workspace-state.json"),
      let state = try? JSON(parsing: String(decoding: bytes, as: UTF8.self))
    else { return [] }
    return (state["object"]?["dependencies"]?.array ?? []).compactMap { dependency in
      dependency["packageRef"]?["kind"]?.string == "fileSystem"
        ? dependency["packageRef"]?["location"]?.string : nil
    }
  }
}

/// A build, or a trial of what it has built.
final class WatchedProcess {
  private static let keptLines = 1000

  let process: ChildProcess
  let start = CoreClock.machineTime
  private(set) var lines: [String] = []
  private var output: LineInput

  init(_ process: ChildProcess) {
    self.process = process
    output = LineInput(process.output)
  }

  /// Reads once.
  /// - Returns: True if it has exited with 0; nil until it has ended.
  func read() -> Bool? {
    output.read()
    while let line = output.next() { lines.append(line) }
    lines.removeFirst(max(0, lines.count - Self.keptLines))
    guard output.hasEnded else { return nil }
    systemClose(process.output)
    return (try? process.wait()) == .exited(0)
  }

  func cancel(by signal: Int32) {
    kill(-process.id, signal)
    systemClose(process.output)
    if signal == SIGKILL { _ = try? process.wait() }
  }
}
