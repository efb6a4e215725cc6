import OffstageSystem
import Testing

@Suite struct QueueTests {
  @Test func firstElementLeavesFirst() {
    var queue = Queue([0, 1])
    for next in 2..<500 {
      queue.append(next)
      #expect(queue.popFirst() == next - 2)
      #expect(Array(queue.elements) == [next - 1, next])
    }
    #expect(queue.popFirst() == 498)
    #expect(queue.popFirst() == 499)
    #expect(queue.popFirst() == nil)
    #expect(queue.isEmpty)
  }

  @Test func elementsAreFreedOnceTaken() {
    final class Element {}
    var queue = Queue<Element>()
    weak var element: Element?
    do {
      let first = Element()
      element = first
      queue.append(first)
    }
    queue.append(Element())
    _ = queue.popFirst()
    #expect(element == nil)
  }
}
