// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "tracker",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "offstage", path: "../../..")],
  targets: [
    .executableTarget(
      name: "tracker",
      dependencies: [
        .product(name: "Offstage", package: "offstage"),
        .product(name: "OffstageLive", package: "offstage"),
      ]),
    .testTarget(
      name: "trackerTests",
      dependencies: [
        "tracker", .product(name: "OffstageTesting", package: "offstage"),
        .product(name: "OffstageLive", package: "offstage"),
      ]),
  ]
)
