import OffstageTesting
import Testing

@testable import grocery_list

@Test(arguments: try transcripts(in: "Transcripts"))
func replays(_ path: String) async throws {
  for difference in try await check(transcriptAt: path, with: GroceryListApp.program) {
    Issue.record("\(difference)")
  }
}
