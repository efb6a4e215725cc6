/// A first-in, first-out queue. Taking the first element is amortized O(1) and frees it.
package struct Queue<Element> {
  private var items: [Element?] = []
  private var head = 0

  package init(_ elements: [Element] = []) { items = elements }

  package var isEmpty: Bool { head == items.count }

  package var elements: some Collection<Element> { items[head...].lazy.compactMap { $0 } }

  package mutating func append(_ element: Element) { items.append(element) }

  package mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    defer {
      items[head] = nil
      head += 1
      if head > 64, head * 2 > items.count {
        items.removeFirst(head)
        head = 0
      }
    }
    return items[head]
  }
}
