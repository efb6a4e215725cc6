import Foundation
import OffstageTesting
import ShowcaseMain
import Testing

/// Every recorded run holds, in this very process.
@Suite struct TranscriptTests {
  @Test("replays", arguments: try transcripts())
  func replays(_ transcript: URL) async throws {
    let text = try String(contentsOf: transcript, encoding: .utf8)
    let differences = try await check(
      transcript: text, file: transcript.path, with: Main.program)
    for difference in differences { Issue.record("\(difference)") }
  }

  /// All files below `Protocol/transcripts`, in the order of their names.
  private static func transcripts() throws -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/transcripts")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let found = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "transcript" }
    #expect(!found.isEmpty)
    return found.sorted { $0.path < $1.path }
  }
}
