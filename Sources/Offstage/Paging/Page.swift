/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
  public var items: [Item]
  /// Whether there is anything after this page.
  public var hasMore: Bool

  public init(_ items: [Item], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

extension Page: Equatable where Item: Equatable {}
