// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "grocery-list",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "offstage", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "grocery_list", dependencies: [.product(name: "Offstage", package: "offstage")]),
    .testTarget(
      name: "grocery_listTests",
      dependencies: ["grocery_list", .product(name: "OffstageTesting", package: "offstage")]),
  ]
)
