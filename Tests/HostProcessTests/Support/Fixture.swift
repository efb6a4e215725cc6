import Foundation

/// The program under test: `HostFixture`, which stands beside the test bundle.
enum Fixture {
  static let path = directory.appendingPathComponent("HostFixture").path

  private static var directory: URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (bundle ?? Bundle.main).bundleURL.deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }
}
