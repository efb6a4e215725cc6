import Testing

@testable import OffstageRPC

@Suite(.timeLimit(.minutes(5))) struct LineQueueTests {
  @Test func endStaysTheEnd() async {
    let queue = LineQueue {}
    queue.deliver(["a"], isEnd: true)
    queue.deliver(["b"])
    #expect(await queue.receive() == "a")
    #expect(await queue.receive() == nil)
  }

  @Test func closingEndsTheWaitOfItsReceivers() async {
    let queue = LineQueue {}
    async let first = queue.receive()
    async let second = queue.receive()
    for _ in 0..<10 { await Task.yield() }
    queue.close()
    queue.deliver(["late"])
    #expect(await [first, second] == [nil, nil])
  }

  @Test func cancelingAReceiverDeliversNothing() async {
    let queue = LineQueue {}
    queue.onDelivery { Issue.record("nothing was delivered") }
    let receiver = Task { await queue.receive() }
    receiver.cancel()
    #expect(await receiver.value == nil)
  }
}
