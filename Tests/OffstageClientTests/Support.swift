import Foundation
import OffstageClient
import OffstageHost
import ShowcaseProgram

/// The reference app, over each transport.
enum Showcase {
  static let path = directory.appendingPathComponent("showcase").path

  private static var directory: URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (bundle ?? Bundle.main).bundleURL.deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }

  /// Starts a core in this process.
  static func embedded(_ arguments: String...) async throws -> LineTransport {
    let core = try await EmbeddedCore(.showcase, arguments: ["--deterministic"] + arguments)
    return LineTransport(send: core.send, receive: core.receive, stop: core.stop)
  }

  /// Starts a core in its own process.
  static func process(_ arguments: String...) throws -> ProcessTransport {
    try ProcessTransport(path, ["--deterministic"] + arguments)
  }

  /// Starts a core behind a pair of descriptors.
  static func descriptors(_ arguments: String...) async throws -> DescriptorTransport {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw CoreEnded(.disconnected) }
    let core = try await EmbeddedCore(.showcase, arguments: ["--deterministic"] + arguments)
    let far = DescriptorTransport(reading: ends[1], writing: ends[1])
    Task.detached {
      while let line = await far.receive() { core.send(line) }
      core.stop()
    }
    Task.detached {
      while let line = await core.receive() { far.send(line) }
      await far.close()
    }
    return DescriptorTransport(reading: ends[0], writing: ends[0])
  }
}
