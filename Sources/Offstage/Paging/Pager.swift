/// Loads a list page by page: the guard, the appending, the end, the retry and the starting over
/// that every endless list needs.
///
/// One page is on its way at a time. The guard is released however the load ends; a load that is
/// cancelled ends silently, also when its page comes all the same.
/// ```swift
/// pager = Pager(for: query, effects) { request in
///   try await repository.places(request.query, page: request.page)
/// }
/// output.isLoading.bind(pager.isLoading)
/// pager.arrivals.observe { [self] in show($0) }
/// pager.failures.observe { [self] in output.failed.send(LoadFailure($0)) }
/// input.reachedEnd.observe { [self] in pager.loadNext() }
/// ```
@CoreActor
public final class Pager<Query: Equatable & Sendable, Item: Sendable> {
  /// What is asked of a repository.
  public struct Request: Equatable, Sendable {
    /// What is searched for, the same for all pages of a list.
    public let query: Query
    /// Counted from 0.
    public let page: Int
    /// How many items came before.
    public let offset: Int
  }

  /// A page that has just come.
  public struct Arrival: Sendable {
    /// What is new; of a first page, all that there is.
    public let items: [Item]
    /// Whether it takes the place of everything before.
    public let isFirst: Bool
  }

  /// Tells of every page, once ``items`` and ``hasMore`` count it in.
  public let arrivals = Relay<Arrival>()
  /// Tells why a page did not come. What was there before is still there.
  public let failures = Relay<any Error>()

  /// What the next first page is asked for.
  public private(set) var query: Query
  /// Everything that has come since the last first page. While a list starts over, it is the old
  /// one that stands here, until the new one is there.
  public private(set) var items: [Item] = []
  /// Whether there is anything after ``items``.
  public private(set) var hasMore = true

  private let effects: Effects
  private let name: String
  /// nil once the screen has closed: the closure often captures the screen.
  private var load: (@CoreActor (Request) async throws -> Page<Item>)?
  /// The request behind the newest page; nil before the first.
  private var latest: Request?
  /// What ``retry()`` asks for again.
  private var failed: Request?

  /// - Parameters:
  ///   - name: the name of its work among the effects of the screen.
  ///   - load: asks a repository; the pager itself counts the pages.
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

  /// Whether a page is on its way: what a spinner is bound to.
  public var isLoading: Signal<Bool> { effects.activity(name) }

  /// Asks for the first page again, unless a page is on its way.
  public func loadFirst() { run(first, .keepFirst) }

  /// Asks for the first page again and cancels what is on its way.
  public func startOver() {
    failed = nil
    run(first, .latest)
  }

  /// Asks for the first page of something else and cancels what is on its way.
  public func startOver(with query: Query) {
    self.query = query
    startOver()
  }

  /// Asks for the next page, unless a page is on its way or the end is reached. Where the present
  /// query has brought nothing yet, that is its first page.
  public func loadNext() {
    guard let latest, latest.query == query else { return loadFirst() }
    guard hasMore else { return }
    run(Request(query: query, page: latest.page + 1, offset: items.count), .keepFirst)
  }

  /// Repeats the request that failed last, if none has succeeded since.
  public func retry() {
    if let failed { run(failed, .keepFirst) }
  }

  private var first: Request { Request(query: query, page: 0, offset: 0) }

  private func run(_ request: Request, _ policy: Effects.Policy) {
    effects.run(name, policy) { [self] in
      guard let load else { return }
      let page = try await load(request)
      // The page may have been on its way already when another request took its place.
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
  /// A pager of the one list that there is.
  public convenience init(
    _ effects: Effects, name: String = "page", fileID: StaticString = #fileID,
    line: UInt = #line, _ load: @escaping @CoreActor (Request) async throws -> Page<Item>
  ) {
    self.init(for: Empty(), effects, name: name, fileID: fileID, line: line, load)
  }
}
