import Foundation
import Testing

@testable import Offstage
@testable import OffstageHost

/// The specification, the transcripts, and all packages for front ends know the methods and roles of
/// the protocol, and the guide for contributors names files that exist.
@Suite struct CompletenessTests {
  @Test(arguments: [
    "Protocol/README.md", "Protocol/transcripts/protocol", "Sources/OffstageClient",
    "clients/python/src/offstage", "clients/typescript/src",
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

  /// Those that change nothing: section 11 says if a front end that only looks may call them, and the
  /// relay lets it.
  @Test func methodsThatReadAreSpecifiedForRelays() throws {
    let specification = try Self.text(of: "Protocol/README.md")
    let section = specification.components(separatedBy: "\n## ").first { $0.hasPrefix("11. ") }
    let text = try #require(section)
    let missing = Method.all.filter { !$0.keepsResponse }.map(\.name).filter { !text.contains($0) }
    #expect(missing == [])
    let rule = try #require(text.firstMatch(of: #/only looks gets frames, (.*?); /#)).1
    let relay = try Self.text(of: "clients/python/src/offstage/share/relay.py")
    let looks = try #require(relay.firstMatch(of: #/LOOKS = \((.*)\)/#)).1
    let specified = rule.matches(of: #/`(.+?)`/#).map(\.1)
    #expect(looks.matches(of: #/"(.+?)"/#).map(\.1) == specified)
  }

  @Test func operatorsAreListed() throws {
    let operators = try Self.text(of: "Sources/Offstage/Signals/Operators.swift")
      .matches(of: #/public func (\w+)/#).map(\.1)
    let list = try Self.text(of: "README.md")
      .firstMatch(of: #/\| `(.*)` \| what is observed or bound/#)
    let names = try #require(list).1.split(separator: " ")
    #expect(operators.filter { !names.contains($0) } == [])
  }

  @Test func rolesAreSpecifiedInTables() throws {
    let text = try Self.text(of: "Protocol/README.md")
    let roles =
      InputRole.allCases.map(\.rawValue) + OutputRole.allCases.map(\.rawValue)
      + MemberRole.allCases.map(\.rawValue)
    #expect(roles.filter { !text.contains("\n| `\($0)` | ") } == [])
  }

  @Test(arguments: [
    "Sources/OffstageClient/AppDescription.swift", "clients/python/src/offstage/ports.py",
    "clients/typescript/src/app.ts", "clients/web/page/description.js",
    "Tests/Apps/Meanings/table.json",
  ])
  func rolesOfInputsAreKnown(to place: String) throws {
    #expect(try Self.missing(InputRole.self, in: place) == [])
  }

  @Test func purposesAndUsesOfPicturesAreSpecified() throws {
    #expect(try Self.missing(Purpose.self, in: "Protocol/README.md") == [])
    #expect(try Self.missing(PictureUse.self, in: "Protocol/README.md") == [])
  }

  /// The other front ends draw what they do not know by its type.
  @Test(arguments: [
    "Protocol/README.md", "clients/web/page", "clients/terminal/src/offstage_terminal",
    "Tests/Apps/Meanings/table.json",
  ])
  func meaningsAreKnown(to place: String) throws {
    let missing =
      try Self.missing(OutputRole.self, in: place) + Self.missing(MemberRole.self, in: place)
      + Self.missing(Weight.self, in: place) + Self.missing(RowState.self, in: place)
    #expect(missing == [])
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

  /// Where the guide names a function after a file, the file declares it.
  @Test func guideNamesExistingFiles() throws {
    let guide = try Self.text(of: ".github/CONTRIBUTING.md")
    let files = ["Sources", "Tests", "Protocol", "clients"].flatMap { folder in
      FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)?
        .compactMap { ($0 as? String).map { "\(folder)/\($0)" } } ?? []
    }
    // The reader creates it.
    let created = "Sources/Showcase/Shared/Hello.swift"
    let named = guide.matches(of: #/`([\w/+-]+\.(?:swift|py|ts|js|md))`(?:, `(\w+)`)?/#)
    #expect(named.count > 30)
    for match in named where match.1 != created {
      let file = files.first { "/\($0)".hasSuffix("/\(match.1)") }
      guard let file else {
        Issue.record("no file \(match.1)")
        continue
      }
      guard let name = match.2 else { continue }
      let text = try Self.text(of: file)
      #expect(
        text.contains("func \(name)(") || text.contains("static let \(name)"),
        "\(file) has no \(name)")
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the text of a file, or of all files in a folder.
  private static func text(of place: String) throws -> String {
    let url = root.appending(path: place)
    let sources = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter {
        ["swift", "py", "ts", "js", "transcript"].contains($0.pathExtension)
      }
    let files = sources.flatMap { $0.isEmpty ? nil : $0 } ?? [url]
    return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }
}
