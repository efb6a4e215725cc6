internal import Offstage
internal import OffstageHost
internal import OffstageJSON
internal import OffstageTranscripts

extension TestCore {
  /// The whole document as JSON text, as a front end has it.
  public var document: String { FrameRecorder.document(of: core).description }

  /// Compares the document, or the part of it at a JSON Pointer, with what a test expects. `"$_"` matches any
  /// value, `"$name"` any value that stays the same.
  /// ```swift
  /// #expect(core.differences(from: #"[{"id":1,"title":"Emma"}]"#, at: "/screens/1/output/books") == [])
  /// ```
  /// - Returns: One line for each place that differs, or for the mistake in `expected` or `path`; empty
  ///   if the two are equal.
  // Does not throw: a failing `#expect` prints the value of a call only without `try`.
  public func differences(from expected: String, at path: String = "") -> [String] {
    do {
      let document = FrameRecorder.document(of: core)
      let found = try JSONPointer.tokens(of: path).reduce(document as JSON?) { $0?.child($1) }
      guard let found else { return ["at \(path): expected \(expected), found nothing"] }
      return try PatternMatch.differences(from: expected, in: found).map {
        "at \(path)\($0.dropFirst("at ".count))"
      }
    } catch let error as JSONPatchError {
      return ["invalid path: \(error)"]
    } catch {
      return ["invalid JSON in the expected value: \(error)"]
    }
  }

  /// Records the frames that a front end gets while `actions` run, as the JSON texts of their params:
  /// `{"revision":2,"patch":[…]}`. Revisions count from 2, since the first frame is the document
  /// before.
  /// ```swift
  /// let frames = await core.frames {
  ///   search.input.queryText.send("ma")
  ///   await core.advance(by: .milliseconds(300))
  /// }
  /// ```
  public func frames(during actions: () async throws -> Void) async rethrows -> [String] {
    let recorder = FrameRecorder(core)
    self.recorder = recorder
    defer { self.recorder = nil }
    try await actions()
    return recorder.finish().map(\.description)
  }
}
