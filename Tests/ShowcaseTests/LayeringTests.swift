import Foundation
import Testing

/// DESIGN.md's invariants about who may use what, read off the sources.
@Suite struct LayeringTests {
  /// What each layer may import of the package; a layer that is not here may not exist.
  static let allowed: [String: Set<String>] = [
    "OffstageSystem": [],
    "OffstageJSON": ["OffstageSystem"],
    "OffstageRPC": ["OffstageJSON", "OffstageSystem"],
    "OffstageTranscripts": ["OffstageJSON"],
    "Offstage": ["OffstageJSON", "OffstageSystem"],
    "OffstageHost": [
      "Offstage", "OffstageRPC", "OffstageJSON", "OffstageTranscripts", "OffstageSystem",
    ],
    "OffstageTesting": ["Offstage", "OffstageHost", "OffstageTranscripts"],
    "Showcase": ["Offstage"],
    "ShowcaseLive": ["Showcase", "Offstage", "OffstageJSON", "ShowcaseSQLite"],
    "ShowcaseMain": ["Showcase", "ShowcaseLive", "Offstage", "OffstageHost"],
    "ShowcaseSQLite": [],
  ]

  static let withFoundation: Set = ["ShowcaseLive", "ShowcaseMain"]
  static let libraries: Set = ["Foundation", "FoundationNetworking", "FoundationEssentials"]

  @Test(arguments: try SourceFile.all())
  func importsOnlyWhatIsBelow(_ source: SourceFile) throws {
    let below = try #require(Self.allowed[source.layer], "no layer of the design")
    for module in source.imports {
      if Self.libraries.contains(module) {
        #expect(Self.withFoundation.contains(source.layer), "\(source) imports \(module)")
      } else if Self.allowed[module] != nil {
        #expect(below.contains(module), "\(source) imports \(module)")
      }
    }
  }

  @Test func everyLayerIsThere() throws {
    let inSwift = Set(Self.allowed.keys).subtracting(["ShowcaseSQLite"])
    #expect(Set(try SourceFile.all().map(\.layer)) == inSwift)
  }

  /// The protocol's descriptors are the host's: a stray byte on them would corrupt the stream.
  @Test(arguments: try SourceFile.all().filter { $0.layer != "OffstageHost" })
  func touchesNoStandardStream(_ source: SourceFile) {
    check(
      source,
      doesNotMatch: [
        #"\bStandardStreams\b"#, #"\bSTD(IN|OUT|ERR)_FILENO\b"#, #"\b(stdin|stdout|stderr)\b"#,
        #"\bFileHandle\.standard"#,
        #"(?<![.\w])(print|debugPrint|dump|readLine|putchar|puts|printf)\("#,
        #"(?<![.\w])(read|write|dup2?|close)\((STD|[012]\b)"#,
      ])
  }

  /// Time comes from the core's clock, so that a test can own it.
  @Test(arguments: try SourceFile.all().filter { $0.layer == "Offstage" || $0.layer == "Showcase" })
  func readsNoClock(_ source: SourceFile) {
    guard source.name != "SystemTime.swift" else { return }
    check(
      source,
      doesNotMatch: [
        #"\bclock_gettime\b"#, #"\bgettimeofday\b"#, #"(?<![.\w])time\("#, #"\bDate\("#,
        #"\b(Continuous|Suspending)Clock\b"#, #"\bTask\.sleep\b"#, #"\b(u|nano)?sleep\((?!for)"#,
        #"\bDispatchTime\b"#, #"\b(SystemRandomNumberGenerator|arc4random\w*)\b"#, #"\bUUID\("#,
        #"\.random\(in: [^,)]*\)"#,
      ])
  }

  /// `SystemTime` itself is for the core's clock alone.
  @Test(arguments: try SourceFile.all())
  func asksTheSystemForTheTimeInOnePlace(_ source: SourceFile) {
    guard !["SystemTime.swift", "CoreClock.swift"].contains(source.name) else { return }
    check(source, doesNotMatch: [#"\bSystemTime\b"#])
  }

  /// No screen names another: where one leads to, only the coordinator in `App` knows.
  @Test func namesNoScreenOfAnotherFeature() throws {
    let sources = try SourceFile.all().filter { $0.layer == "Showcase" && $0.feature != "App" }
    var screens: [(name: String, feature: String)] = []
    for source in sources {
      for (_, line) in source.code {
        guard let match = line.firstMatch(of: /class (\w+)\s*:\s*Screen\b/) else { continue }
        screens.append((String(match.1), source.feature))
      }
    }
    #expect(screens.contains { $0.name == "Map" } && screens.contains { $0.name == "PlaceSearch" })
    for source in sources {
      let others = screens.filter { $0.feature != source.feature }.map { "\\b\($0.name)\\b" }
      check(source, doesNotMatch: others)
    }
  }

  /// How a change of screens moves is the coordinator's affair too.
  @Test(arguments: try SourceFile.all().filter { $0.layer == "Showcase" })
  func onlyTheCoordinatorMoves(_ source: SourceFile) {
    guard source.feature != "App" else { return }
    check(source, doesNotMatch: [#"\bRouter\("#, #"\bTransition\("#, #"\bpushUnique\b"#])
  }

  private func check(_ source: SourceFile, doesNotMatch patterns: [String]) {
    for (number, line) in source.code {
      for pattern in patterns where line.range(of: pattern, options: .regularExpression) != nil {
        Issue.record("\(source):\(number): \(line.trimmingCharacters(in: .whitespaces))")
      }
    }
  }
}
