import OffstageJSON
import TestSupport
import Testing

/// A front end's copy of the document: the whole of what a client must do.
struct Replica {
  private(set) var revision = 0
  private(set) var state: JSON = .null

  /// Takes in a line if it is a frame.
  mutating func take(_ line: JSON) {
    guard line["method"] == "frame", let params = line["params"] else { return }
    #expect(params["revision"]?.int == revision + 1, "revisions are consecutive")
    revision += 1
    guard let patch = params["patch"] else { return }
    do { state = try JSONPatch(patch).apply(to: state) } catch {
      Issue.record("\(error): \(patch)")
    }
  }
}
