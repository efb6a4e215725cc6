import Foundation
import Offstage
import OffstageHost
import OffstageTesting
import ShowcaseProgram
import Testing

@Suite struct TranscriptTests {
  @Test("replays", arguments: try transcripts(in: folder.appending(path: "transcripts").path))
  func replays(_ path: String) async throws {
    let differences = try await check(transcriptAt: path, with: Program.showcase)
    for difference in differences { Issue.record("\(difference)") }
  }

  private static func object(_ json: Data) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: json) as? NSDictionary)
  }

  /// The specification's own examples are transcripts too: it has no other code, except a diagram,
  /// two functions in pseudocode, a screen of the description, and the commands of a shell.
  @Test func examplesOfTheSpecification() async throws {
    let file = Self.folder.appendingPathComponent("README.md")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
    let blocks = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    let examples = blocks.filter { $0.hasPrefix("transcript\n") }
    let others = blocks.filter { !$0.hasPrefix("transcript\n") }
    #expect(others.map { $0.prefix { $0 != "\n" } } == ["text", "text", "json", "text", "sh"])
    let description = Self.folder.appendingPathComponent("openrpc.json")
    let described = try Self.object(Data(contentsOf: description))["x-screens"] as? NSDictionary
    let screen = try #require(others.first { $0.hasPrefix("json") }).dropFirst("json".count)
    #expect(try Self.object(Data(screen.utf8)) == described?["signUp"] as? NSDictionary)
    for example in examples {
      let differences = try await check(
        transcript: String(example.dropFirst("transcript\n".count)), file: file.path,
        with: Program.showcase)
      for difference in differences { Issue.record("\(difference)") }
    }
  }

  /// The table of requirements names existing files, and every numbered transcript.
  @Test func tableOfRequirementsIsComplete() throws {
    let folder = Self.folder.appendingPathComponent("transcripts")
    let readMe = folder.appendingPathComponent("README.md")
    let rows = try String(contentsOf: readMe, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
    let named = rows.flatMap { $0.split(separator: "`").filter { $0.contains("/") } }
    let transcripts = try transcripts(in: folder.path).map { $0.dropFirst(folder.path.count + 1) }
    func isNamed(_ transcript: Substring, by path: Substring) -> Bool {
      path.hasSuffix("*")
        ? transcript.hasPrefix(path.dropLast()) : transcript == "\(path).transcript"
    }
    let broken = named.filter { path in
      path.hasPrefix("Tests/")
        ? !FileManager.default.fileExists(atPath: "\(folder.path)/../../\(path)")
        : !transcripts.contains { isNamed($0, by: path) }
    }
    #expect(broken == [])
    let missing = transcripts.filter { transcript in
      transcript.contains(/\/[A-E]\d\d-/) && !named.contains { isNamed(transcript, by: $0) }
    }
    #expect(missing == [])
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Protocol")
}

@Suite struct DescriptionTests {
  @Test @CoreActor func openRPCDocumentIsCurrent() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/openrpc.json")
    let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? NSDictionary
    let program = Program.showcase
    let description = try OpenRPC.document(
      of: program.makeSession(["--deterministic"]).core.app, program.info)
    let now =
      try JSONSerialization.jsonObject(with: Data("\(description)".utf8)) as? NSDictionary
    #expect(kept == now, "Protocol/openrpc.json is stale: run Tests/run --step regenerate")
  }
}

@Suite struct CommandLineTests {
  @Test(arguments: [
    "--pokeapi=notaurl", "--chat-api=foo", "--hotplaces=ftp://x", "--avatars=/a",
    "--root=pokemonDetail", "--root=signUp []", #"--root=categoryList {"category":"ghosts"}"#,
  ])
  @CoreActor func invalidOptionsAreUsageErrors(option: String) {
    #expect(throws: UsageError.self) {
      try Program.showcase.makeSession(["--deterministic", option])
    }
  }
}
