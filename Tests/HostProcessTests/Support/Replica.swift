import OffstageJSON
import TestSupport

/// A front end's copy of the document, made of frames alone.
struct Replica {
  private(set) var document = JSON.null
  private(set) var revision = 0
  /// The responses, in the order of their coming.
  private(set) var responses: [JSON] = []
  /// The `error` notifications.
  private(set) var faults: [JSON] = []

  init() {}

  init(_ lines: [JSON]) throws {
    for line in lines { try take(line) }
  }

  init(_ lines: [String]) throws {
    for line in lines { try take(JSON(parsing: line)) }
  }

  /// Takes in one line.
  /// - Throws: an error for a frame out of order, or for a patch that does not fit.
  mutating func take(_ line: JSON) throws {
    switch line["method"]?.string {
    case nil: responses.append(line)
    case "error": faults.append(line)
    case "frame":
      guard let found = line["params"]?["revision"]?.int, found == revision + 1 else {
        throw PeerError("revision \(revision) is followed by \(line)")
      }
      revision = found
      let patch = try JSONPatch(line["params"]?["patch"] ?? [])
      document = try patch.apply(to: document)
    case let method?: throw PeerError("the core sent \"\(method)\"")
    }
  }

  /// An output of the first screen.
  func output(_ name: String) -> JSON? { document["screens"]?["1"]?["output"]?[name] }
}
