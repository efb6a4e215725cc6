import Testing

@testable import OffstageHost

/// What the relay of `--watch` keeps of a session.
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
}
