import Foundation
import OffstageClient
import Testing

/// The client against the core's side of a transcript, played by `replay --serve`.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct ServedTests {
  private static let transcript = #"""
    $ showcase --deterministic --root signUp

    > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"capabilities":[]}}
    < "$_"
    < "$_"
    > {"jsonrpc":"2.0","id":2,"method":"rpc.discover","params":{}}
    < "$_"
    > {"jsonrpc":"2.0","id":3,"method":"input","params":{"screen":"1","name":"nameText","value":"Kim"}}
    < "$_"
    < "$_"
    """#

  private func core() async throws -> Core {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).transcript")
    try Self.transcript.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let core = Core { try ProcessTransport(Showcase.path, ["replay", "--serve", file.path]) }
    try await core.start()
    return core
  }

  @Test func clientThatFollowsTheTranscriptPasses() async throws {
    let core = try await core()
    let form = try await core.wait(for: SignUpScreen.self)
    form.nameText.value = "Kim"
    try await core.until { !form.nameText.isPending }
    #expect(form.nameText.value == "Kim")
    #expect(core.document.revision == 2)
    await core.close()
    #expect(core.ended?.log == [])
  }

  @Test func clientThatDeviatesLearnsWhere() async throws {
    let core = try await core()
    try await core.wait(for: SignUpScreen.self).nameText.value = "Kin"
    await #expect(throws: CoreEnded.self) { try await core.until { false } }
    #expect(core.ended?.reason == .exited(status: 1))
    #expect(core.ended?.log.joined().contains(#"expected "Kim", found "Kin""#) == true)
    await core.close()
  }
}
