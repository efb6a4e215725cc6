import Foundation
import Testing

@testable import Offstage
@testable import OffstageHost

/// The specification and all packages for front ends know the methods and roles of the protocol.
@Suite struct CompletenessTests {
  @Test(arguments: [
    "Protocol/README.md", "Sources/OffstageClient", "clients/python/src/offstage",
    "clients/typescript/src",
  ])
  func methodsAreKnown(to place: String) throws {
    let text = try Self.text(of: place)
    let missing = Method.all.map(\.name).filter { name in
      // The Swift client puts `navigation/` before the names of its methods.
      let path = name.split(separator: "/")
      let isShort = path.first == "navigation" && text.contains("\"\(path[1])\"")
      return !text.contains(name) && !isShort
    }
    #expect(missing == [])
  }

  @Test(arguments: [
    "Protocol/README.md", "Sources/OffstageClient/AppDescription.swift",
    "clients/python/src/offstage/description.py", "clients/typescript/src/app.ts",
  ])
  func rolesOfInputsAreKnown(to place: String) throws {
    let text = try Self.text(of: place)
    let missing = InputRole.allCases.map(\.rawValue).filter { role in
      !["`\(role)`", "\"\(role)\"", "case \(role)", ", \(role)"].contains(where: text.contains)
    }
    #expect(missing == [])
  }

  /// Returns the text of a file, or of all files in a folder.
  private static func text(of place: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let url = root.appending(path: place)
    let sources = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { ["swift", "py", "ts"].contains($0.pathExtension) }
    let files = sources.flatMap { $0.isEmpty ? nil : $0 } ?? [url]
    return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }
}
