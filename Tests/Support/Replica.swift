package import OffstageJSON

/// A front end's copy of the document, made only from frames.
package struct Replica {
  package private(set) var document = JSON.null
  package private(set) var revision = 0
  /// The responses in order of arrival.
  package private(set) var responses: [JSON] = []
  /// The `error` notifications.
  package private(set) var faults: [JSON] = []

  /// True if the core may have lost its state, and begin at the first revision again.
  package var mayStartAfresh = false

  /// - Parameter revision: The revision from which a front end goes on, with a frame that replaces
  ///   the document.
  package init(revision: Int = 0) { self.revision = revision }

  package init(_ lines: [JSON]) throws {
    for line in lines { try take(line) }
  }

  package init(_ lines: [String]) throws {
    for line in lines { try take(JSON(parsing: line)) }
  }

  /// Applies one line.
  /// - Throws: an error for a frame out of order, a patch that does not fit or an unknown method.
  package mutating func take(_ line: JSON) throws {
    switch line["method"]?.string {
    case nil: responses.append(line)
    case "error": faults.append(line)
    case "frame":
      let patch = line["params"]?["patch"]
      // A core that goes on with the session of another may skip what that did not get to send.
      let isWhole = revision > 0 && patch?[0]?["path"] == ""
      guard let found = line["params"]?["revision"]?.int,
        found == revision + 1 || isWhole && (found > revision || mayStartAfresh)
      else { throw ReplicaError(description: "revision \(revision) is followed by \(line)") }
      revision = found
      guard let patch else { return }
      try document.apply(patch)
    case let method?: throw ReplicaError(description: "the core sent \"\(method)\"")
    }
  }

  /// Returns an output of the first screen.
  package func output(_ name: String) -> JSON? { document["screens"]?["1"]?["output"]?[name] }
}

private struct ReplicaError: Error, CustomStringConvertible { let description: String }
