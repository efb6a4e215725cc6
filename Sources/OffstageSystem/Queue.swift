/// A first-in, first-out queue. Taking the first element costs the same at any length, and frees it.
///
/// Inlinable, since unspecialized code would look up metadata whenever a line asks if one is held.
package struct Queue<Element> {
  @usableFromInline var items: [Element?] = []
  /// The index of the first element.
  @usableFromInline var head = 0

  @inlinable package init(_ elements: [Element] = []) { items = elements }

  @inlinable package var isEmpty: Bool { head == items.count }

  /// The elements, the oldest first.
  package var elements: some Collection<Element> { items[head...].lazy.compactMap(\.self) }

  @inlinable package mutating func append(_ element: Element) { items.append(element) }

  @inlinable package mutating func popFirst() -> Element? {
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
