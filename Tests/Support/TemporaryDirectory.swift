package import Foundation

/// A new directory for a test, removed with the object.
package final class TemporaryDirectory: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("showcase-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Returns every file with its content, to check whether anything changed.
  package func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: file($0))) })
  }
}
