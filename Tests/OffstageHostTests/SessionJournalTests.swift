import OffstageJSON
import Testing

@testable import OffstageHost

/// The session as the relay of `--watch` remembers it.
@Suite struct SessionJournalTests {
  @Test func lineThatIsRejectedAsAWholeIsAnswered() {
    var journal = SessionJournal()
    let wait = input(1, "wait", settle: true)
    journal.sent(Array(wait.utf8))
    journal.sent(Array("[\(call(2, "state/settle")),\(call(3, "state/settle"))]".utf8))
    let error = #"{"code":-32600,"message":"too long","data":{"line":2}}"#
    let response = #"{"jsonrpc":"2.0","id":null,"error":\#(error)}"#
    let isForTheFrontEnd = journal.received(Array(response.utf8))
    let unanswered = journal.removeUnanswered()
    #expect(isForTheFrontEnd)
    #expect(unanswered == [wait])
  }

  @Test func answeredLinesAreKeptUpTo16MiB() {
    var journal = SessionJournal()
    let text = String(repeating: "x", count: 1 << 20)
    for id in 1...17 {
      journal.sent(Array(input(id, "text", "\"\(text)\"").utf8))
      _ = journal.received(Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{"revision":2}}"#.utf8))
    }
    let isFull = journal.isFull
    let replay = journal.replay()
    #expect(isFull)
    #expect(replay["lines"]?.array?.count == 15)
  }
}
