/// Loads a list page by page: guards against a second request, appends, stops at the end, retries,
/// and starts over.
///
/// One page loads at a time. A load that is canceled ends silently, even if its page arrives
/// later. Use a ``Loader`` for what is loaded as a whole.
/// ```swift
/// pager = Pager(for: query, effects) { request in
///   try await repository.places(request.query, page: request.page)
/// }
/// output.isLoading.bind(pager.isLoading)
/// pager.arrivals.observe { [self] in show($0) }
/// pager.failures.observe { [self] in output.failed.send("\($0)") }
/// input.reachedEnd.observe { [self] in pager.loadNext() }
/// ```
@CoreActor
public final class Pager<Query: Equatable & Sendable, Item: Sendable> {
  /// A page to ask a repository for.
  public struct Request: Equatable, Sendable {
    /// The query, the same for all pages of a list.
    public let query: Query
    /// The number of the page, from 0.
    public let page: Int
    /// The number of items before the page.
    public let offset: Int
  }

  /// A page that has just arrived.
  public struct Arrival: Sendable {
    /// The new items.
    public let items: [Item]
    /// True if they replace all earlier items.
    public let isFirst: Bool
  }

  /// Sends every page, after ``items`` and ``hasMore`` include it.
  public let arrivals = Relay<Arrival>()
  /// Sends the error of every page that failed. Earlier items stay.
  public let failures = Relay<any Error>()

  /// The query of the next first page.
  public private(set) var query: Query
  /// The items since the last first page. While a list starts over, the old items stay until the
  /// new ones arrive.
  public private(set) var items: [Item] = []
  /// False at the end of the list.
  public private(set) var hasMore = true

  private let effects: Effects
  private let name: String
  /// nil once the screen has closed, because the closure often captures the screen.
  private var load: (@CoreActor (Request) async throws -> Page<Item>)?
  /// The request of the newest page.
  private var latest: Request?
  /// The request that ``retry()`` repeats.
  private var failed: Request?

  /// - Parameters:
  ///   - query: The query of the first page.
  ///   - effects: The effects of the screen that is being created.
  ///   - name: The name of the load among these effects. Two loaders or pagers of one screen need
  ///     different names.
  ///   - fileID: The caller's file, for the error of a name that is taken.
  ///   - line: The caller's line.
  ///   - load: Asks a repository for a page.
  public init(
    for query: Query, _ effects: Effects, name: String = "page", fileID: StaticString = #fileID,
    line: UInt = #line, _ load: @escaping @CoreActor (Request) async throws -> Page<Item>
  ) {
    effects.reserve(name, fileID, line)
    self.query = query
    self.effects = effects
    self.name = name
    self.load = load
    effects.node.keep(Subscription { self.load = nil })
  }

  /// True while a page is loading: bind a spinner to it.
  public var isLoading: Signal<Bool> { effects.activity(name) }

  /// True once the first page of ``query`` has arrived.
  public var isLoaded: Bool { latest?.query == query }

  /// Loads the first page, unless a page is loading.
  public func loadFirst() { run(first, .keepFirst) }

  /// Loads the first page, and cancels a page that is loading.
  public func startOver() {
    failed = nil
    run(first, .latest)
  }

  /// Loads the first page of another query, and cancels a page that is loading.
  public func startOver(with query: Query) {
    self.query = query
    startOver()
  }

  /// Loads the next page, unless a page is loading or the list is at its end. Before the first
  /// page of the current query has arrived, it loads that page.
  public func loadNext() {
    guard let latest, latest.query == query else { return loadFirst() }
    guard hasMore else { return }
    run(Request(query: query, page: latest.page + 1, offset: items.count), .keepFirst)
  }

  /// Repeats the last request that failed, unless one has succeeded since.
  public func retry() {
    if let failed { run(failed, .keepFirst) }
  }

  private var first: Request { Request(query: query, page: 0, offset: 0) }

  private func run(_ request: Request, _ policy: Effects.Policy) {
    effects.run(name, policy) { [self] in
      guard let load else { return }
      let page = try await load(request)
      // A repository may return a page even if the load was canceled meanwhile.
      try Task.checkCancellation()
      take(page, of: request)
    } catch: { [self] error in
      failed = request
      failures.send(error)
    }
  }

  private func take(_ page: Page<Item>, of request: Request) {
    failed = nil
    latest = request
    hasMore = page.hasMore
    if request.page == 0 { items = page.items } else { items += page.items }
    arrivals.send(Arrival(items: page.items, isFirst: request.page == 0))
  }
}

extension Pager where Query == Empty {
  /// A pager of a list without a query.
  public convenience init(
    _ effects: Effects, name: String = "page", fileID: StaticString = #fileID,
    line: UInt = #line, _ load: @escaping @CoreActor (Request) async throws -> Page<Item>
  ) {
    self.init(for: Empty(), effects, name: name, fileID: fileID, line: line, load)
  }
}

/// One page of a list, as a repository returns it.
public struct Page<Item: Sendable>: Sendable {
  /// The items in order; may be empty.
  public var items: [Item]
  /// False on the last page.
  public var hasMore: Bool

  /// A page of `items`.
  public init(_ items: [Item], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

extension Page: Equatable where Item: Equatable {}
