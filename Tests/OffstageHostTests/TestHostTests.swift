import Offstage
import OffstageHost
import OffstageTesting
import Testing

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
}
