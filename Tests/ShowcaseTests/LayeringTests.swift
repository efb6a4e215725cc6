import Foundation
import Testing

/// The rules of the architecture that neither access control nor the dependencies of the targets
/// can express, checked on the sources.
@Suite struct LayeringTests {
  /// Foundation would be most of a small program that is linked statically.
  @Test(
    arguments: try SourceFile.all().filter {
      !["OffstageLive", "ShowcaseLive", "ShowcaseProgram"].contains($0.layer)
    })
  func coreDoesWithoutFoundation(_ source: SourceFile) {
    #expect(!source.imports.contains("OffstageFoundation"))
  }

  /// All of Foundation, with its data about languages, would be half of any such program.
  @Test(
    arguments: try SourceFile.all().filter {
      !["OffstageFoundation", "OffstageCommand"].contains($0.layer)
    })
  func oneModuleChoosesWhatFoundationIs(_ source: SourceFile) {
    let libraries: Set = ["Foundation", "FoundationNetworking", "FoundationEssentials"]
    #expect(libraries.isDisjoint(with: source.imports))
  }

  /// Descriptors 0 to 2 belong to the host: a stray byte on them would corrupt the stream. The
  /// command `offstage` serves nothing.
  @Test(
    arguments: try SourceFile.all().filter {
      !["OffstageHost", "OffstageCommand"].contains($0.layer)
    })
  func onlyTheHostTouchesStandardStreams(_ source: SourceFile) {
    check(
      source,
      doesNotMatch: [
        #"\bStandardStreams\b"#, #"\bSTD(IN|OUT|ERR)_FILENO\b"#, #"\b(stdin|stdout|stderr)\b"#,
        #"\bFileHandle\.standard"#,
        #"(?<![.\w])(print|debugPrint|dump|readLine|putchar|puts|printf)\("#,
        #"(?<![.\w])(read|write|dup2?|close)\((STD|[012]\b)"#,
      ])
  }

  /// Time comes from the core's clock, so that a test can control it.
  @Test(
    arguments: try SourceFile.all().filter {
      ["Offstage", "OffstageWords", "Showcase"].contains($0.layer)
    })
  func onlyTheClockReadsTheTime(_ source: SourceFile) {
    guard source.name != "CoreClock.swift" else { return }
    check(
      source,
      doesNotMatch: [
        #"\bclock_gettime\b"#, #"\bgettimeofday\b"#, #"(?<![.\w])time\((nil|&)"#, #"\bDate\("#,
        #"\b(Continuous|Suspending)Clock\b"#, #"\bTask\.sleep\b"#, #"\b(u|nano)?sleep\((?!for)"#,
        #"\bDispatchTime\b"#, #"\b(SystemRandomNumberGenerator|arc4random\w*)\b"#, #"\bUUID\("#,
        #"\.random\(in: [^,)]*\)"#, #"\bSystemTime\b"#,
      ])
  }

  /// Only the router in `App` knows where a screen leads.
  @Test func noScreenNamesAnother() throws {
    let sources = try SourceFile.all().filter {
      $0.layer == "Showcase" && !$0.description.hasPrefix("Showcase/App/")
    }
    var screens: [(name: String, file: String)] = []
    for source in sources {
      for match in source.code.matches(of: /class (\w+)\s*:\s*(?:(?:Tracked)?Screen|ViewModel)\b/) {
        screens.append((String(match.1), source.name))
      }
    }
    #expect(screens.contains { $0.name == "Map" })
    #expect(screens.contains { $0.name == "PlaceSearch" })
    for source in sources {
      let others = screens.filter { $0.file != source.name }.map { "\\b\($0.name)\\b" }
      check(
        source, doesNotMatch: others + [#"\bRouter\("#, #"\bTransition\("#, #"\bpushUnique\b"#])
    }
  }

  private func check(_ source: SourceFile, doesNotMatch patterns: [String]) {
    // One search per file: one per line and pattern takes a minute.
    let code = source.code
    let pattern = patterns.joined(separator: "|")
    var start = code.startIndex
    while let found = code.range(
      of: pattern, options: .regularExpression, range: start..<code.endIndex)
    {
      let line = code[..<found.lowerBound].count { $0.isNewline } + 1
      Issue.record("\(source):\(line): \(code[found])")
      start = found.upperBound
    }
  }
}

/// A source file of the package.
struct SourceFile: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  /// The name of the target.
  let layer: String
  /// The path below `Sources`.
  let description: String
  /// The text without comments and without the text of one-line strings.
  let code: String

  var testDescription: String { description }
  var name: String { description.split(separator: "/").last.map(String.init) ?? "" }

  /// Returns every Swift file of a target, sorted by path.
  static func all() throws -> [SourceFile] { try read.get() }

  private static let read = Result {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") && !$0.contains("/Template/") }.sorted().map {
      path in
      let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      return SourceFile(
        layer: path.split(separator: "/").first.map(String.init) ?? "", description: path,
        code:
          text
          .replacingOccurrences(
            of: #""(\\.|[^"\\\n])*""#, with: #""""#, options: .regularExpression
          )
          .replacingOccurrences(of: "//[^\n]*", with: "", options: .regularExpression))
    }
  }

  /// The imported modules.
  var imports: [String] {
    code.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"),
        words[..<index].allSatisfy({ Self.modifiers.contains($0) || $0.hasPrefix("@") })
      else { return nil }
      let rest = words[(index + 1)...].drop { Self.kinds.contains($0) }
      return rest.first?.split(separator: ".").first.map(String.init)
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
}
