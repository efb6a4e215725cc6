internal import OffstageJSON

/// A loader of a list, page by page: guards against a second request, appends, stops at the end,
/// retries, and starts over.
///
/// One page loads at a time. A load that is canceled ends silently, even if its page arrives
/// later. Each page is one of its ``Loader/values``, once ``items`` and ``hasMore`` reflect it.
///
/// With a cache, the first page of a query is sent from the cache before the current one is
/// requested. While the list is stale, further pages come from the cache too: all are equally old.
///
/// After a restart of the core, a pager that had begun loads by itself as many pages as it had, up to
/// 100, and sends them in one piece: those of the cache first. It goes on with its query if that is
/// `Codable`, whatever `init` passes.
/// ```swift
/// pager = Pager(for: query, effects, limit: 20) { request in
///   try await repository.places(request.query, page: request.page, size: request.limit)
/// }
/// output.isLoading.bind(pager.isLoading)
/// pager.values.observe { [self] in show($0) }
/// pager.failures.observe { [self] in output.failed.send("\($0)") }
/// input.reachedEnd.observe { [self] in pager.loadNext() }
/// ```
public final class Pager<Query: Equatable & Sendable, Item: Sendable>: Loader<Page<Item>> {
  private typealias Request = PageRequest<Query>

  /// The query of the next first page.
  public private(set) var query: Query {
    didSet { if query != oldValue { work.effects.node.noteKept() } }
  }
  /// The items loaded so far. When the list starts over, they stay until the new ones arrive.
  public private(set) var items: [Item] = [] { didSet { noteKept() } }
  /// False at the end of the list.
  public private(set) var hasMore = true

  /// The request for the next page; nil before the first page.
  private var next: Request? { didSet { noteKept() } }
  /// The request whose page has not arrived.
  private var current: Request? { didSet { noteKept() } }
  /// True if the request that ``retry()`` repeats is one for the first page; nil if none has
  /// failed.
  private var failedFirst: Bool? { didSet { noteKept() } }
  /// True if the next page is to follow the one that is loading.
  private var isNextWanted = false
  /// The number of items before the core restarted, until they have been loaded again.
  private var wanted: Int? { didSet { noteKept() } }
  /// The ``count`` that was written last.
  private var kept: Int?
  private let limit: Int
  private let origin: LoadOrigin<Request, Page<Item>>

  /// Creates a pager for the screen that is being created. Loaders and pagers that share one
  /// ``Effects`` need different names. `cached` returns a page as it was last loaded, and the
  /// time of that since 1970-01-01T00:00:00Z, or nil if it never was; its errors are ignored. A page has
  /// up to `limit` items: if a server returns more, the rest is dropped.
  public init(
    for query: Query, _ effects: Effects, name: String = "page", limit: Int = .max,
    fileID: StaticString = #fileID, line: UInt = #line,
    cached: (
      @CoreActor (PageRequest<Query>) async throws -> (value: Page<Item>, loadedAt: Duration)?
    )? = nil,
    current operation: @escaping @CoreActor (PageRequest<Query>) async throws -> Page<Item>
  ) {
    self.query = query
    self.limit = limit
    origin = LoadOrigin(for: effects.node, cached: { try await cached?($0) }, current: operation)
    super.init(effects.task(name: name, fileID: fileID, line: line))
    guard let saved = work.effects.node.saved(for: self, named: work.slot.name) else { return }
    wanted = saved["count"]?.int ?? 0
    kept = wanted
    if let type = Query.self as? any Decodable.Type,
      let query = try? saved["query"]?.decode(type) as? Query
    {
      self.query = query
    }
  }

  /// True once the first page of ``query`` has arrived.
  public var isLoaded: Bool { next?.query == query }

  /// Loads the first page, unless it is loaded or a page is loading. Reloads a stale first page if
  /// no other page follows it.
  public override func load() {
    let isStale = stale != nil
    if !isLoaded || isStale && next?.page == 1 { run(first, .keepFirst) }
  }

  /// Loads the first page, and cancels a page that is loading.
  public override func reload() {
    failedFirst = nil
    run(first, .latest)
  }

  /// Loads the first page of another query, and cancels a page that is loading.
  public func reload(with query: Query) {
    if query != self.query { wanted = nil }
    self.query = query
    reload()
  }

  /// Loads the next page, unless a page is loading or the list is at its end. Before the first
  /// page of the current query has arrived, it loads that page.
  public func loadNext() {
    guard isLoaded, let next else { return run(first, .keepFirst) }
    guard hasMore else { return }
    // A front end reports the end of a list once, here that of the page from the cache.
    if work.isRunning, current?.isFirst == true, stale != nil { isNextWanted = true }
    run(next, .keepFirst)
  }

  /// Repeats the last request that failed, unless one has succeeded since.
  public func retry() {
    if let failedFirst { run(failedFirst ? first : next ?? first, .keepFirst) }
  }

  /// Empties the list, and cancels a page that is loading: there is then nothing to retry, and the
  /// next page is a first one. Nothing arrives, so remove the rows of the screen as well.
  public func clear() {
    work.cancel()
    (items, next, hasMore, failedFirst, wanted) = ([], nil, true, nil, nil)
    forget()
  }

  private var first: Request {
    Request(query: query, page: 0, offset: 0, limit: limit, cursor: nil, isFirst: true)
  }

  private func run(_ request: Request, _ policy: Effects.Policy) {
    if policy == .keepFirst, work.isRunning { return }
    (current, isNextWanted) = (request, false)
    work.run { [self] in
      for _ in 1...Self.mostPagesAtOnce {
        guard let request = current else { break }
        try await request.isFirst ? loadFirst(request) : loadNext(request)
        // An observer of the page may have started other work.
        try Task.checkCancellation()
      }
      current = nil
    } catch: { [self] error in
      failedFirst = current?.isFirst
      noteFailure(error, isStale: current?.isFirst == true)
    }
    noteKept()
  }

  /// The number of pages that one request loads at most, if the first ones hold nothing new.
  private static var mostPagesAtOnce: Int { 10 }

  /// The number of pages that come back after a restart at most.
  private static var mostPagesRestored: Int { 100 }

  /// Loads the first page, or all pages from before a restart: those of the cache, then the current
  /// ones.
  private func loadFirst(_ first: Request) async throws {
    var loadedAt: Duration?
    if next?.query != first.query {
      let cached = try await pages(from: first) { request in
        let page = try await origin.cached(request)
        loadedAt = loadedAt ?? page?.loadedAt
        return page?.value
      }
      take(cached.pages, of: first)
      if let loadedAt { noteLoad(at: loadedAt, isCached: true) }
    }
    let (pages, error) = try await pages(from: first, origin.current)
    // If a page is missing, those of the cache are better than fewer.
    if let error, loadedAt != nil || pages.isEmpty { throw error }
    current = nil
    defer { wanted = nil }
    guard !pages.isEmpty else { return }
    noteLoad(at: work.effects.now)
    failedFirst = nil
    take(pages, of: first)
    follow(error != nil || pages.allSatisfy { $0.items.isEmpty })
    if let error { throw error }
    noteSuccess()
  }

  /// Returns the pages with a number of items, or those that have arrived before an error.
  private func pages(
    from first: Request, _ ask: (Request) async throws -> Page<Item>?
  ) async throws -> (pages: [Page<Item>], error: (any Error)?) {
    var pages: [Page<Item>] = []
    var request = first
    var loaded = 0
    repeat {
      do {
        guard let page = try await ask(request) else { break }
        pages.append(page)
        loaded += min(page.items.count, limit)
        request = following(request, page, offset: loaded)
      } catch {
        try Task.checkCancellation()
        return (pages, error)
      }
    } while pages.last?.hasMore == true && loaded < wanted ?? 0
      && pages.count < Self.mostPagesRestored
    return (pages, nil)
  }

  /// Takes several pages as if they were the first one.
  private func take(_ pages: [Page<Item>], of first: Request) {
    guard let last = pages.last else { return }
    items = joined(pages)
    hasMore = last.hasMore
    next = Request(
      query: first.query, page: pages.count, offset: items.count, limit: limit,
      cursor: last.cursor, isFirst: false)
    var page = last
    (page.items, page.isFirst) = (items, true)
    values.send(page)
  }

  private func joined(_ pages: [Page<Item>]) -> [Item] {
    // The items of a repository may be one in memory with those of other sessions.
    if pages.count == 1, pages[0].items.count <= limit { return pages[0].items }
    var items: [Item] = []
    // They stay for long: `flatMap` would reserve more.
    items.reserveCapacity(pages.reduce(0) { $0 + min($1.items.count, limit) })
    for page in pages { items += page.items.prefix(limit) }
    return items
  }

  /// Loads a further page. While the list is stale, it comes from the cache.
  private func loadNext(_ request: Request) async throws {
    if stale != nil, let page = try await origin.cached(request) {
      current = nil
      append(page.value, of: request)
      return noteLoad(at: page.loadedAt, isCached: true)
    }
    let page = try await origin.current(request)
    current = nil
    guard let page else { return }
    failedFirst = nil
    append(page, of: request)
    noteSuccess()
  }

  private func append(_ page: Page<Item>, of request: Request) {
    var page = page
    page.items.removeLast(max(0, page.items.count - limit))
    items += page.items
    hasMore = page.hasMore
    next = following(request, page, offset: items.count)
    values.send(page)
    follow(page.items.isEmpty)
  }

  /// Loads the next page at once if it is wanted. A page without new items changes nothing that a
  /// front end could respond to.
  private func follow(_ isWanted: Bool) {
    if hasMore, isNextWanted || isWanted { current = next }
    isNextWanted = false
  }

  private func following(_ request: Request, _ page: Page<Item>, offset: Int) -> Request {
    Request(
      query: request.query, page: request.page + 1, offset: offset, limit: limit,
      cursor: page.cursor, isFirst: false)
  }

  // MARK: Restarts

  /// The number of items that come back after a restart; nil if nothing has begun.
  private var count: Int? {
    guard wanted != nil || next != nil || work.isRunning || failedFirst != nil else { return nil }
    return wanted ?? (isLoaded ? items.count : 0)
  }

  private func noteKept() { if count != kept { work.effects.node.noteKept() } }

  override var keptState: JSON? {
    kept = count
    guard let count else { return nil }
    var state: JSONObject = ["count": .int(count)]
    if let query = query as? any Encodable { state["query"] = JSON(encoding: query) }
    return .object(state)
  }

  override func goOn() {
    if !isLoaded { run(first, .keepFirst) }
  }
}

extension Pager where Query == Empty {
  /// Creates a pager for a list without a query.
  public convenience init(
    _ effects: Effects, name: String = "page", limit: Int = .max,
    fileID: StaticString = #fileID, line: UInt = #line,
    cached: (
      @CoreActor (PageRequest<Query>) async throws -> (value: Page<Item>, loadedAt: Duration)?
    )? = nil,
    current operation: @escaping @CoreActor (PageRequest<Query>) async throws -> Page<Item>
  ) {
    self.init(
      for: Empty(), effects, name: name, limit: limit, fileID: fileID, line: line,
      cached: cached, current: operation)
  }
}

/// A page to ask a repository for.
public struct PageRequest<Query: Equatable & Sendable>: Equatable, Sendable {
  /// The query, the same for all pages of a list.
  public let query: Query
  /// The number of the page, from 0, for a repository that numbers pages.
  public let page: Int
  /// The number of items before the page, for a repository that counts items. Where items come and go
  /// meanwhile, a `cursor` neither skips nor repeats one.
  public let offset: Int
  /// The number of items to return at most.
  public let limit: Int
  /// The ``Page/cursor`` of the previous page; nil for the first page and without cursors.
  public let cursor: String?
  let isFirst: Bool
}

/// One page of a list, as a repository returns it.
public struct Page<Item: Sendable>: Sendable {
  /// The items in order; may be empty.
  public var items: [Item]
  /// False on the last page.
  public var hasMore: Bool
  /// The repository's token for the next page; nil if it numbers pages or items.
  public var cursor: String?
  /// True for one that a ``Pager`` sends if its items replace all earlier ones.
  public internal(set) var isFirst = false

  /// Creates a page.
  public init(_ items: [Item], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }

  /// Creates a page of a repository that returns a token for the next page; nil with the last.
  public init(_ items: [Item], cursor: String?) {
    self.items = items
    self.cursor = cursor
    hasMore = cursor != nil
  }
}

extension Page: Equatable where Item: Equatable {}
