internal import OffstageJSON

extension Method {
  /// The end, in good order.
  static let shutdown = Method(
    "shutdown", "Ends the core: it answers, flushes and exits with 0.", result: ["type": "null"]
  ) { _, session in
    session.shutDown()
    return .now { $0.null() }
  }
}
