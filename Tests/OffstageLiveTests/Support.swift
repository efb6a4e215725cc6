import Foundation

@testable import OffstageLive

extension Database.Location {
  /// A file in a directory.
  static func directory(_ directory: URL) -> Self {
    .file(directory.appendingPathComponent("app.sqlite"))
  }
}
