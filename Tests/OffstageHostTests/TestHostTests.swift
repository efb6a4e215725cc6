import Offstage
import OffstageHost
import Testing

@testable import OffstageTesting

/// Transcripts that are played within the process of a test.
@Suite @CoreActor struct TestHostTests {
  @Test func blockHasAllOutputHoweverLong() async throws {
    func input(_ id: Int, _ text: String) -> String {
      #"> {"jsonrpc":"2.0","id":\#(id),"method":"input","params":{"screen":"1","name":"text","value":"\#(text)"}}"#
    }
    let frame = #"< {"jsonrpc":"2.0","method":"frame","params":"$_"}"#
    let transcript = """
      $ desks --deterministic --root desk

      > {"jsonrpc":"2.0","id":1,"method":"state/settle"}
      \(frame)
      < {"jsonrpc":"2.0","id":1,"result":{"revision":1}}

      \(input(2, String(repeating: "x", count: 2 << 20)))
      \(frame)
      < {"jsonrpc":"2.0","id":2,"result":{"revision":2}}
      \(input(3, "y"))
      \(frame)
      < {"jsonrpc":"2.0","id":3,"result":{"revision":3}}

      > {"jsonrpc":"2.0","id":4,"method":"state/settle"}
      < {"jsonrpc":"2.0","id":4,"result":{"revision":3}}
      """
    let differences = try await check(
      transcript: transcript, file: "long.transcript", with: Desk.program)
    #expect(differences == [])
  }

  /// Past 16 MiB of output, the core takes no line before the output is read.
  @Test(.timeLimit(.minutes(5))) func lineAfterALongOutputIsHandled() async throws {
    let host = try TestHost(Desk.program, ["--deterministic", "--max-line=20000000"])
    let text = String(repeating: "x", count: 17 << 20)
    try await host.send(Array((input(1, "text", "\"\(text)\"") + "\n").utf8))
    try await host.send(Array((input(2, "text", #""y""#) + "\n").utf8))
    let lines = try await host.settle()
    #expect(lines.count == 5)
    #expect(lines.last == #"{"jsonrpc":"2.0","id":2,"result":{"revision":3}}"#)
    _ = try await host.close()
  }
}
