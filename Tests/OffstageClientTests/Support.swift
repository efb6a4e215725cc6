import Foundation
import OffstageClient
import OffstageHost
import ShowcaseProgram
import TestSupport

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
    let (near, distant) = try socketPair()
    let core = try await EmbeddedCore(.showcase, arguments: ["--deterministic"] + arguments)
    let far = DescriptorTransport(reading: distant, writing: distant)
    Task.detached {
      while let line = await far.receive() { core.send(line) }
      core.stop()
    }
    Task.detached {
      while let line = await core.receive() { far.send(line) }
      await far.close()
    }
    return DescriptorTransport(reading: near, writing: near)
  }
}
