import OffstageTesting
import Testing

@testable import tracker

@Test(arguments: try transcripts(in: "Transcripts"))
func replays(_ path: String) async throws {
  for difference in try await check(transcriptAt: path, with: TrackerApp.program) {
    Testing.Issue.record("\(difference)")
  }
}
