internal import OffstageJSON
internal import OffstageSystem

/// The state, and the bytes of the input that have been read and not handled, which a program leaves
/// to a new build: to a trial of it, and to the one that takes its place.
///
/// It is in a file without a name, whose descriptor the new build inherits. No one else can read it.
struct Handover {
  /// nil if the app has not been shown.
  let state: JSON?
  let input: [UInt8]

  /// The environment variable with the number of the descriptor.
  static let variable = "OFFSTAGE_HANDOVER"

  /// Takes what an earlier build has left in this process; nil in a new process.
  static func take() -> Handover? {
    guard let descriptor = Environment.variable(variable).flatMap({ Int32($0) }), descriptor > 2
    else { return nil }
    unsetenv(variable)
    defer { systemClose(descriptor) }
    guard lseek(descriptor, 0, SEEK_SET) == 0,
      let bytes = try? PrivateFiles.read("/dev/fd/\(descriptor)"),
      let end = bytes.firstIndex(of: 0x0A),
      let state = try? JSON(parsing: String(decoding: bytes[..<end], as: UTF8.self))
    else { return nil }
    return Handover(state: state == .null ? nil : state, input: Array(bytes[(end + 1)...]))
  }

  /// Becomes another program, which takes this.
  func start(
    _ path: String, _ arguments: [String], _ streams: StandardStreams
  ) throws(FileError) {
    setenv(Self.variable, "\(try leave())", 1)
    Watchdog.stop()
    streams.giveBack()
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    throw FileError(path)
  }

  /// Returns the descriptor of a file with this.
  func leave() throws(FileError) -> Int32 {
    let descriptor = try PrivateFiles.createNamelessFile()
    // The new build inherits it.
    _ = fcntl(descriptor, F_SETFD, 0)
    guard Descriptor.writeAll(descriptor, Array("\(state ?? .null)\n".utf8) + input) else {
      throw FileError("the state of the app")
    }
    return descriptor
  }
}
