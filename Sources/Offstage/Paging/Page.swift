/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
  /// The items in their order; a page may be empty.
  public var items: [Item]
  /// Whether there is anything after this page.
  public var hasMore: Bool

  /// A page as a repository returns it.
  public init(_ items: [Item], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

extension Page: Equatable where Item: Equatable {}
