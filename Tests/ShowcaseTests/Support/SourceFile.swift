import Foundation
import Testing

/// A source file of the package.
struct SourceFile: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  /// The folder below `Sources`, which is the target's name.
  let layer: String
  /// The path below `Sources`.
  let description: String
  private let text: String

  var testDescription: String { description }
  var name: String { description.split(separator: "/").last.map(String.init) ?? "" }

  /// The folder below the target's.
  var feature: String { description.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// Every Swift file below `Sources`, in the order of their paths.
  static func all() throws -> [SourceFile] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      SourceFile(
        layer: path.split(separator: "/").first.map(String.init) ?? "", description: path,
        text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }
  }

  /// The modules it imports, however they are imported.
  var imports: [String] {
    code.compactMap { _, line in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"),
        words[..<index].allSatisfy({ Self.modifiers.contains($0) || $0.hasPrefix("@") })
      else { return nil }
      let rest = words[(index + 1)...].drop { Self.kinds.contains($0) }
      return rest.first?.split(separator: ".").first.map(String.init)
    }
  }

  /// Its lines with their numbers, comments and the text of one-line strings left out.
  var code: [(number: Int, line: String)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      let bare = line.replacingOccurrences(
        of: #""(\\.|[^"\\])*""#, with: #""""#, options: .regularExpression)
      let code = bare.range(of: "//").map { bare[..<$0.lowerBound] } ?? bare[...]
      return (index + 1, String(code))
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
}
