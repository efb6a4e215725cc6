// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets: existentials are explicit, and imports are private to their file. A
/// newer compiler may warn of more, so warnings are errors only where the package itself is checked.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["OFFSTAGE_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : [])

/// A layer of the package and what it may import; the list reads from the bytes up to the app.
func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "offstage",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Offstage", targets: ["Offstage", "OffstageHost"]),
    .library(name: "OffstageLive", targets: ["OffstageLive", "OffstageWords"]),
    .library(name: "OffstagePostgreSQL", targets: ["OffstagePostgreSQL"]),
    .library(name: "OffstageTesting", targets: ["OffstageTesting"]),
    .library(name: "OffstageClient", targets: ["OffstageClient"]),
    .executable(name: "offstage", targets: ["OffstageCommand"]),
    .executable(name: "showcase", targets: ["ShowcaseMain"]),
    .library(name: "ShowcaseProgram", targets: ["ShowcaseProgram"]),
    .library(name: "showcase-embedded", type: .dynamic, targets: ["ShowcaseEmbedded"]),
    .executable(name: "bench-app", targets: ["BenchApp"]),
    .executable(name: "bench", targets: ["Bench"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "OffstageLibc"),
    layer("OffstageSystem", ["OffstageLibc"]),
    layer("OffstageJSON", ["OffstageSystem"]),
    layer("OffstageRPC", ["OffstageJSON", "OffstageSystem"]),
    layer("OffstageTranscripts", ["OffstageJSON"]),
    layer("Offstage", ["OffstageJSON", "OffstageSystem"]),
    layer(
      "OffstageHost",
      ["Offstage", "OffstageRPC", "OffstageJSON", "OffstageTranscripts", "OffstageSystem"]),
    layer("OffstageTesting", ["Offstage", "OffstageHost", "OffstageJSON", "OffstageTranscripts"]),
    layer("OffstageClient", ["OffstageRPC", "OffstageJSON", "OffstageSystem"]),
    .executableTarget(
      name: "OffstageCommand", dependencies: ["Offstage", "OffstageHost", "OffstageJSON"],
      exclude: ["Template"],
      swiftSettings: strict),

    layer("OffstageFoundation", []),
    layer("OffstageWords", ["Offstage"]),
    .systemLibrary(
      name: "OffstageSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "OffstageCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    layer(
      "OffstageLive",
      [
        "Offstage", "OffstageJSON", "OffstageFoundation", "OffstageSystem", "OffstageSQLite",
        "OffstageCurl",
      ]),

    .systemLibrary(
      name: "OffstageLibpq", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    layer(
      "OffstagePostgreSQL", ["OffstageHost", "OffstageLive", "OffstageSystem", "OffstageLibpq"]),

    layer("Showcase", ["Offstage", "OffstageWords"]),
    .systemLibrary(
      name: "ShowcaseZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "ShowcaseUtf8proc", pkgConfig: "libutf8proc",
      providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]),
    layer(
      "ShowcaseLive",
      [
        "Showcase", "OffstageHost", "OffstageLive", "OffstagePostgreSQL", "Offstage",
        "OffstageJSON", "OffstageFoundation", "OffstageSystem", "OffstageSQLite", "ShowcaseZlib",
        .target(name: "ShowcaseUtf8proc", condition: .when(platforms: [.linux])),
      ], resources: [.embedInCode("Library/sample.webm")]),
    layer(
      "ShowcaseProgram",
      [
        "Showcase", "ShowcaseLive", "OffstageLive", "OffstagePostgreSQL", "Offstage",
        "OffstageHost", "OffstageFoundation",
      ]),
    .executableTarget(
      name: "ShowcaseMain", dependencies: ["ShowcaseProgram", "OffstageHost"],
      swiftSettings: strict),
    .target(
      name: "ShowcaseEmbedded", dependencies: ["ShowcaseProgram", "OffstageHost"],
      exclude: ["offstage.h"], swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["OffstageJSON", "OffstageSystem"], path: "Tests/Support",
      swiftSettings: strict),
    .target(
      name: "FaultInjection", dependencies: ["OffstageSQLite"], path: "Tests/FaultInjection"),
    .target(
      name: "LiveTestSupport",
      dependencies: [
        "OffstagePostgreSQL", "OffstageLive", "Offstage", "OffstageSystem", "TestSupport",
      ], path: "Tests/LiveSupport", swiftSettings: strict),
    tests("OffstageJSONTests", ["OffstageJSON", "TestSupport"]),
    tests("OffstageRPCTests", ["OffstageRPC", "OffstageJSON"]),
    tests("OffstageTranscriptsTests", ["OffstageTranscripts", "OffstageJSON", "TestSupport"]),
    tests(
      "OffstageTests",
      ["Offstage", "OffstageTesting", "OffstageJSON", "OffstageSystem", "TestSupport"]),
    tests(
      "OffstageHostTests",
      [
        "OffstageHost", "Offstage", "OffstageTesting", "OffstageTranscripts", "OffstageJSON",
        "OffstageSystem", "FaultInjection", "TestSupport",
      ]),
    tests("OffstageWordsTests", ["OffstageWords", "Offstage"]),
    tests(
      "OffstageLiveTests",
      [
        "OffstageLive", "OffstageCurl", "Offstage", "OffstageTesting", "OffstageSystem",
        "FaultInjection", "LiveTestSupport", "TestSupport",
      ]),
    tests(
      "OffstagePostgreSQLTests",
      ["OffstagePostgreSQL", "OffstageHost", "OffstageLive", "LiveTestSupport"]),
    tests(
      "ShowcaseTests", ["Showcase", "Offstage", "OffstageTesting", "OffstageJSON"]),
    tests(
      "ShowcaseLiveTests",
      [
        "ShowcaseLive", "OffstagePostgreSQL", "OffstageLive", "Showcase", "Offstage",
        "OffstageSystem", "FaultInjection", "LiveTestSupport", "TestSupport",
      ]),
    tests(
      "TranscriptTests",
      [
        "ShowcaseProgram", "ShowcaseLive", "Showcase", "OffstageLive", "OffstageTesting",
        "OffstageHost", "Offstage", "OffstageTranscripts", "OffstageJSON", "OffstageSystem",
        "TestSupport",
      ]),
    tests(
      "OffstageClientTests",
      [
        "OffstageClient", "ShowcaseProgram", "ShowcaseMain", "OffstageCommand", "Offstage",
        "OffstageHost", "OffstageTranscripts", "OffstageJSON", "OffstageSystem", "FaultInjection",
        "TestSupport",
      ]),
    tests("HostProcessTests", ["HostFixture", "OffstageJSON", "OffstageSystem", "TestSupport"]),
    .executableTarget(
      name: "HostFixture",
      dependencies: [
        "OffstagePostgreSQL", "OffstageLive", "Offstage", "OffstageHost", "OffstageSystem",
      ],
      path: "Tests/HostFixture", swiftSettings: strict),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "OffstageJSON", "OffstageRPC", "OffstageTranscripts", "ShowcaseLive", "OffstageSystem",
        "TestSupport",
      ], path: "Tests/Fuzz", exclude: ["run"], swiftSettings: strict),
    .executableTarget(
      name: "BenchApp", dependencies: ["Offstage", "OffstageHost"],
      path: "Tests/Benchmarks/BenchApp",
      swiftSettings: strict),
    .executableTarget(
      name: "Bench", dependencies: ["OffstageSystem", "TestSupport"],
      path: "Tests/Benchmarks/Bench",
      swiftSettings: strict),
  ]
)
