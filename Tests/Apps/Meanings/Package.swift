// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "meanings",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "offstage", path: "../../..")],
  targets: [
    .executableTarget(
      name: "meanings", dependencies: [.product(name: "Offstage", package: "offstage")]),
    .testTarget(
      name: "meaningsTests",
      dependencies: ["meanings", .product(name: "OffstageTesting", package: "offstage")]),
  ]
)
