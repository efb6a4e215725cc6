import Foundation
import OffstageClient
import Testing

/// The client against the core's side of a transcript, played by `replay --serve`.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ServedTests {
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

  private func core(_ transcript: String = Self.transcript) async throws -> RemoteCore {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).transcript")
    try transcript.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let core = RemoteCore { try ProcessTransport(Showcase.path, ["replay", "--serve", file.path]) }
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

  @Test func canceledTaskCancelsItsRequestOnTheWire() async throws {
    let core = try await core(
      #"""
      $ showcase

      > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"capabilities":[]}}
      < {"jsonrpc":"2.0","id":1,"result":{"protocol":1,"revision":0}}
      > {"jsonrpc":"2.0","id":2,"method":"rpc.discover","params":{}}
      < {"jsonrpc":"2.0","id":2,"result":{}}
      > {"jsonrpc":"2.0","id":3,"method":"state/settle","params":{}}
      > {"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}
      < {"jsonrpc":"2.0","id":3,"error":{"code":-32800,"message":"request canceled"}}
      """#)
    var isSent = false
    let waiting = Task {
      isSent = true
      try await core.settle()
    }
    while !isSent { await Task.yield() }
    waiting.cancel()
    // Closes behind the cancellation, so that a core that does not get one ends.
    let closing = Task { await core.close() }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await closing.value
    #expect(core.ended?.log == [])
  }
}
