// swift-tools-version: 6.2
import PackageDescription

let apple: [Platform] = [.macOS, .iOS]

let package = Package(
  name: "showcase-swiftui",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.executable(name: "ShowcaseApp", targets: ["ShowcaseApp"])],
  dependencies: [.package(name: "offstage", path: "../..")],
  targets: [
    .target(
      name: "ShowcaseUI", dependencies: [.product(name: "OffstageClient", package: "offstage")]),
    .executableTarget(
      name: "ShowcaseApp",
      dependencies: [
        "ShowcaseUI",
        .product(name: "OffstageClient", package: "offstage"),
        .product(name: "Offstage", package: "offstage", condition: .when(platforms: apple)),
        .product(name: "ShowcaseProgram", package: "offstage", condition: .when(platforms: apple)),
      ]),
    .testTarget(
      name: "ShowcaseUITests",
      dependencies: ["ShowcaseUI", .product(name: "OffstageClient", package: "offstage")]),
  ]
)
