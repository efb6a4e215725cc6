import OffstageJSON
import Testing

@testable import OffstageTranscripts

/// The core's side of a transcript.
@Suite struct TranscriptServerTests {
  private static let text = """
    $ core --deterministic

    > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":1,"price":"$$5"}}
    < {"jsonrpc":"2.0","id":1,"result":{}}

    > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"a","value":null}}
    > {"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}
    < {"jsonrpc":"2.0","id":2,"error":{"code":-32800}}
    = exit 3
    """

  private let initialize =
    #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocol":1}}"#

  private func server(_ text: String = text) throws -> TranscriptServer {
    try TranscriptServer(Transcript(text, file: "x"))
  }

  @Test func idsAreThoseOfTheFrontEnd() throws {
    var server = try server()
    #expect(
      try server.receive(
        Array(
          #"{"method":"initialize","params":{"client":{"name":"x"},"protocol":1},"id":"a","jsonrpc":"2.0"}"#
            .utf8)) == [
          #"{"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":"a","price":"$5"}}"#,
          #"{"jsonrpc":"2.0","id":"a","result":{}}"#,
        ])
    let input =
      #"{"jsonrpc":"2.0","id":"b","method":"input","params":{"screen":"1","name":"a","value":null}}"#
    #expect(try server.receive(Array(input.utf8)) == [])
    let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"b"}}"#
    #expect(
      try server.receive(Array(cancel.utf8)) == [
        #"{"jsonrpc":"2.0","id":"b","error":{"code":-32800}}"#
      ])
    #expect(try server.end() == 3)
  }

  @Test(arguments: [
    (
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":2}}"#,
      "at /params/protocol: expected 1, found 2"
    ),
    (
      #"{"jsonrpc":"2.0","method":"initialize","params":{"protocol":1}}"#,
      "at /id: expected 1, found nothing"
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/settle"}"#, "at /method"),
    ("nonsense", "line differs"),
  ])
  func deviationsAreReported(line: String, message: String) throws {
    var server = try server()
    let difference = #expect(throws: TranscriptDifference.self) {
      try server.receive(Array(line.utf8))
    }
    #expect(difference?.line == 3)
    #expect(difference?.description.contains(message) == true, "\(difference!)")
  }

  @Test func inputThatEndsTooSoonIsReported() throws {
    var server = try server()
    _ = try server.receive(Array(initialize.utf8))
    let difference = #expect(throws: TranscriptDifference.self) { try server.end() }
    #expect(difference?.description == "x:7: the front end ended before sending this line")
  }

  @Test func shutdownIsAnsweredAtTheEndOnly() throws {
    let shutdown = Array(#"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#.utf8)
    var early = try server()
    #expect(throws: TranscriptDifference.self) { try early.receive(shutdown) }

    var late = try server("$ core\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n")
    _ = try late.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":"a","params":{}}"#.utf8))
    #expect(try late.receive(shutdown) == [#"{"jsonrpc":"2.0","id":9,"result":null}"#])
    #expect(late.isDone)
    #expect(try late.end() == 0)
  }

  @Test func recordedShutdownEndsTheRun() throws {
    let shutdown = #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#
    var server = try server(
      "$ core\n> \(shutdown)\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n")
    #expect(!server.isDone)
    #expect(try server.receive(Array(shutdown.utf8)).count == 1)
    #expect(server.isDone)
  }

  @Test func rawLinesAreComparedByteForByte() throws {
    var server = try server("$ core\n>! [1,\n< {\"id\":null}\n")
    #expect(try server.receive(Array("[1,".utf8)) == [#"{"id":null}"#])
    var other = try self.server("$ core\n>! [1,\n< {\"id\":null}\n")
    #expect(throws: TranscriptDifference.self) { try other.receive(Array("[1".utf8)) }
  }

  @Test(arguments: [
    ("$ core\n> {}\n< {\"a\":\"$_\"}\n", "x:3: a placeholder has no value to send"),
    (
      "$ core\n> {}\n$ core\n> {}\n",
      "x:3: a second run; only a transcript of one run can be served"
    ),
  ])
  func someTranscriptsCannotBeServed(text: String, message: String) {
    let error = #expect(throws: TranscriptError.self) { try server(text) }
    #expect(error?.description == message)
  }

  @Test func placeholdersGetTheValuesOfARun() throws {
    let transcript = try Transcript(
      "$ core\n\n> {}\n< {\"a\":\"$_\",\"b\":1}\n\n> {}\n< \"$_\"\n", file: "x")
    #expect(!transcript.isComplete)
    let output = TranscriptOutput(blocks: [[#"{"a":"$5","b":1}"#], ["2"]], exit: 0)
    #expect(transcript.differences(from: [output]) == [])
    var server = try TranscriptServer(transcript.updated(with: [output], isFilling: true))
    #expect(try server.receive(Array("{}".utf8)) == [#"{"a":"$5","b":1}"#])
    #expect(try server.receive(Array("{}".utf8)) == ["2"])
  }

  @Test func resultOfInitializeIsThatOfARun() throws {
    let transcript = try Transcript(
      "$ core\n\n> \(initialize)\n< [1,\n  2]\n< 3\n\n> {}\n", file: "x")
    #expect(!transcript.isComplete)
    let result = #"{"jsonrpc":"2.0","id":"a","result":{"protocol":1}}"#
    let output = TranscriptOutput(blocks: [["[1,2]", result, "3"], []], exit: 0)
    #expect(transcript.differences(from: [output]) == [])
    let filled = transcript.updated(with: [output], isFilling: true)
    #expect(filled.isComplete)
    var server = try TranscriptServer(filled)
    #expect(try server.receive(Array(initialize.utf8)) == ["[1,2]", result, "3"])
    let difference = #expect(throws: TranscriptDifference.self) { try server.end() }
    #expect(difference?.line == 8)
  }
}
