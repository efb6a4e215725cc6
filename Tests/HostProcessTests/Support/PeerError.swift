import Foundation

/// Why a test cannot go on.
struct PeerError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what }

  /// - Parameter code: an `errno`.
  init(_ what: String, _ code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}
