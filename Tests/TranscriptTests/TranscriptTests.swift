import Foundation
import Offstage
import OffstageHost
import OffstageTesting
import ShowcaseMain
import Testing

@Suite struct TranscriptTests {
  @Test("replays", arguments: try transcripts())
  func replays(_ transcript: URL) async throws {
    try await check(try String(contentsOf: transcript, encoding: .utf8), transcript.path)
  }

  /// The specification's own examples are transcripts too.
  @Test func examplesOfTheSpecification() async throws {
    let file = Self.folder.appendingPathComponent("README.md")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
    let examples = parts.filter { $0.hasPrefix("transcript\n") }
    #expect(examples.count >= 3)
    for example in examples {
      try await check(String(example.dropFirst("transcript\n".count)), file.path)
    }
  }

  private func check(_ text: String, _ file: String) async throws {
    let differences = try await OffstageTesting.check(
      transcript: text, file: file, with: Main.program)
    for difference in differences { Issue.record("\(difference)") }
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Protocol")

  /// All files below `Protocol/transcripts`, in the order of their names.
  private static func transcripts() throws -> [URL] {
    let root = folder.appendingPathComponent("transcripts")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let found = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "transcript" }
    try #require(!found.isEmpty)
    return found.sorted { $0.path < $1.path }
  }
}

@Suite struct DescriptionTests {
  @Test @CoreActor func openRPCDocumentIsCurrent() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/openrpc.json")
    let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? NSDictionary
    let now =
      try JSONSerialization.jsonObject(
        with: Data(Main.program.describe(["--deterministic"]).utf8)) as? NSDictionary
    #expect(
      kept == now,
      "Protocol/openrpc.json is stale: showcase describe | jq . > Protocol/openrpc.json")
  }
}

@Suite struct CommandLineTests {
  @Test(arguments: [
    "--pokeapi=notaurl", "--chat-api=foo", "--hotplaces=ftp://x", "--avatars=/a",
    "--root=pokemonDetail", "--root=signUp []", #"--root=categoryList {"category":"ghosts"}"#,
  ])
  @CoreActor func invalidOptionsAreUsageErrors(option: String) {
    #expect(throws: UsageError.self) { try Main.program.makeSession(["--deterministic", option]) }
  }
}
