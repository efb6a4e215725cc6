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
    #expect(try Self.missing(InputRole.self, in: place) == [])
  }

  @Test func meaningsAreSpecified() throws {
    #expect(try Self.missingMeanings(in: "Protocol/README.md") == [])
  }

  /// Add a front end here once it draws all meanings.
  @Test(
    .disabled("the front ends do not draw all meanings yet"),
    arguments: [
      "clients/web/page", "clients/terminal/src/offstage_terminal", "clients/sketch/sketch.py",
      "clients/mcp/src/offstage_mcp", "clients/swiftui/Sources/ShowcaseUI",
    ])
  func meaningsAreKnown(to frontEnd: String) throws {
    #expect(try Self.missingMeanings(in: frontEnd) == [])
  }

  /// The roles of outputs and members, and the weights and purposes of inputs, that a file lacks.
  private static func missingMeanings(in place: String) throws -> [String] {
    try missing(OutputRole.self, in: place) + missing(MemberRole.self, in: place)
      + missing(Weight.self, in: place) + missing(TextPurpose.self, in: place)
      + missing(RowState.self, in: place) + missing(PictureUse.self, in: place)
  }

  private static func missing<Word: CaseIterable & RawRepresentable<String>>(
    _ vocabulary: Word.Type, in place: String
  ) throws -> [String] {
    let text = try text(of: place)
    return vocabulary.allCases.map(\.rawValue).filter { word in
      !["`\(word)`", "\"\(word)\"", "'\(word)'", "case \(word)", ", \(word)"].contains(
        where: text.contains)
    }
  }

  /// Returns the text of a file, or of all files in a folder.
  private static func text(of place: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let url = root.appending(path: place)
    let sources = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { ["swift", "py", "ts", "js"].contains($0.pathExtension) }
    let files = sources.flatMap { $0.isEmpty ? nil : $0 } ?? [url]
    return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }
}
