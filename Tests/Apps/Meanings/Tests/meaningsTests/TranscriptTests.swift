import OffstageTesting
import Testing

@testable import meanings

@Test(arguments: try transcripts(in: "Transcripts"))
func replays(_ path: String) async throws {
  for difference in try await check(transcriptAt: path, with: MeaningsApp.program) {
    Issue.record("\(difference)")
  }
}
