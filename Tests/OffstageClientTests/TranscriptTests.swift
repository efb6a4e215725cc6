import Foundation
import OffstageJSON
import Testing

@testable import OffstageClient
@testable import OffstageTranscripts

/// Applies the frames of all transcripts: after each, the client's models show what the document
/// holds, and the generated types hold all of it.
///
/// The core need not run for that: other tests compare the transcripts with its frames, and its
/// snapshots with what its frames have made.
@MainActor
@Suite struct ClientTranscriptTests {
  @Test func modelsShowTheDocument() throws {
    let files = try Self.transcripts()
    var (frames, snapshots) = (0, 0)
    for file in files {
      let transcript = try Transcript(
        try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
      for lines in runs(of: transcript) {
        let core = RemoteCore { throw CoreEnded(.closed) }
        let document = RemoteDocument(core: core)
        var reference = JSON.null
        for (number, line) in lines {
          let message = Value(line)
          let place = Comment(rawValue: "\(file.lastPathComponent):\(number)")
          if message["method"].string == "frame" {
            let frame = try #require(Frame(message["params"]), place)
            if try document.apply(frame), !frame.patch.isNull {
              try reference.apply(frame.patch.json)
            }
            try checkModels(of: document, reference, place)
            frames += 1
          } else if let revision = message["result"]["revision"].int,
            let state = line["result"]?["state"]
          {
            #expect(document.value == Value(state) && document.revision == revision, place)
            snapshots += 1
          }
        }
      }
    }
    #expect(frames > 2_000)
    #expect(snapshots > 10)
  }

  /// Returns the numbered lines from the core in each run, up to a frame with a placeholder.
  private func runs(of transcript: Transcript) -> [[(number: Int, line: JSON)]] {
    transcript.runs.map { run in
      var lines: [(Int, JSON)] = []
      for entry in run.blocks.flatMap(\.expected).map({ transcript.entries[$0] }) {
        guard let pattern = entry.pattern else { continue }
        if let line = value(of: pattern) {
          lines.append((entry.line, line))
        } else if pattern["method"]?.string == "frame" {
          break
        }
      }
      return lines
    }
  }

  /// Returns the value of a pattern without placeholders; nil if it has one.
  private func value(of pattern: JSON) -> JSON? {
    switch pattern {
    case .null, .bool, .number: return pattern
    case .string(let string):
      guard case .text(let text)? = PatternString(string) else { return nil }
      return .string(text)
    case .array(let elements):
      let values = elements.compactMap(value)
      return values.count == elements.count ? .array(values) : nil
    case .object(let object):
      let members = object.members.compactMap { key, element in
        value(of: element).map { (key: key, value: $0) }
      }
      return members.count == object.members.count ? .object(JSONObject(members)) : nil
    }
  }

  private func checkModels(
    of document: RemoteDocument, _ reference: JSON, _ place: Comment
  ) throws {
    #expect(document.value == Value(reference), place)
    var expected = reference["screens"]?.object ?? [:]
    var screens = document.screens
    expected["app"] = reference["app"].flatMap { $0 == .null ? nil : $0 }
    screens["app"] = document.app
    #expect(Set(screens.keys) == Set(expected.members.map(\.key)), place)
    for (id, screen) in screens {
      let output = Value(expected[id]?["output"] ?? .null)
      #expect(screen.outputs == output, place)
      let types = try #require(ShowcaseTypes.all[screen.kind], place)
      #expect(try types(output) == output, place)
    }
  }

  static func transcripts() throws -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/transcripts")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let found = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "transcript" }
    try #require(found.count > 200)
    return found.sorted { $0.path < $1.path }
  }
}
