import Offstage

/// Is told why something failed.
typealias ErrorHandler = @CoreActor (any Error) -> Void

extension Localizer {
  /// Shows why the latest load failed.
  func show(
    _ load: Loader<some Sendable>,
    _ attempt: @escaping @autoclosure @CoreActor () -> Attempt, in output: Out<Failure?>
  ) {
    output.bind(load.failure.map { $0.map { failure($0, attempt()) } })
    onChange { output.value = output.value?.translated(words) }
  }
}

/// The inputs of a screen that shows one thing.
struct DetailInput: Ports {
  let didAppear = In<Trigger>()
  let retry = In<Trigger>()
  let refresh = In<Trigger>()
}

/// The outputs of every screen that loads something.
protocol LoadingOutput: Ports {
  var isLoading: Out<Bool> { get }
  /// The reason that the last load failed; nil once one has succeeded.
  var failure: Out<Failure?> { get }
  /// True if `retry` repeats a load that failed and may succeed later.
  var canRetry: Out<Bool> { get }
}

/// The outputs of a screen that may show a stale value: one from a cache, or one that could not be
/// reloaded. The value then stays, with the reason in `failure`.
protocol StaleOutput: LoadingOutput {
  var isStale: Out<Bool> { get }
  /// The time at which a stale value was loaded, in seconds since 1970; nil if it is up to date.
  var staleSince: Out<Int?> { get }
  var failed: Event<Failure> { get }
}

extension LoadingOutput {
  /// Shows the outcome of a loader or pager.
  /// - Parameters:
  ///   - attempt: What the load is for at the time of its failure.
  ///   - otherFailure: The failure of another load that `retry` repeats too.
  func show(
    _ load: Loader<some Sendable>,
    _ attempt: @escaping @autoclosure @CoreActor () -> Attempt, _ localizer: Localizer,
    isLoading: Signal<Bool>? = nil, otherFailure: Signal<(any Error)?>? = nil
  ) {
    self.isLoading.bind(isLoading ?? load.isLoading)
    localizer.show(load, attempt(), in: failure)
    guard let otherFailure else { return canRetry.bind(load.failure.map(\.isRetryable)) }
    canRetry.bind(
      combineLatest(load.failure, otherFailure).map { $0.isRetryable || $1.isRetryable })
  }
}

extension StaleOutput {
  /// Shows the outcome of a loader or pager, and the age of a stale value.
  func bind(
    _ load: Loader<some Sendable>,
    _ attempt: @escaping @autoclosure @CoreActor () -> Attempt, _ localizer: Localizer,
    isLoading: Signal<Bool>? = nil, otherFailure: Signal<(any Error)?>? = nil
  ) {
    show(load, attempt(), localizer, isLoading: isLoading, otherFailure: otherFailure)
    isStale.bindStale(staleSince, load.staleSince)
    load.failures.observe { failed.send(localizer.report($0, attempt())) }
  }
}

extension Out<Bool> {
  /// Shows whether a value is out of date, and in `since` the time at which it was loaded.
  func bindStale(_ since: Out<Int?>, _ loadedAt: Signal<Duration?>) {
    bind(loadedAt.map { $0 != nil })
    since.bind(loadedAt.map { $0.map { Int($0.components.seconds) } })
  }
}

extension Loader {
  /// Loads now and whenever `input` fires, and shows the state in `output`.
  func start(
    on input: DetailInput, _ output: some StaleOutput, _ attempt: Attempt,
    _ localizer: Localizer
  ) {
    output.bind(self, attempt, localizer)
    input.didAppear.merge(input.retry).observe { (_: Trigger) in self.load() }
    input.refresh.observe { self.reload() }
    load()
  }
}

extension Pager where Query == String {
  /// Searches for the text of a field when the user pauses typing, and shows the results page by
  /// page. The newest text wins, however long an older search takes, and blank text ends the search
  /// at once.
  /// - Parameters:
  ///   - isSearching: True from the first edit until the results arrive, or until the edit is canceled.
  ///   - onSearch: Called when a search starts.
  func search<Row: Identifiable & Codable & Hashable & Sendable>(
    _ text: Field<String>, _ reachedEnd: In<Trigger>, _ isSearching: Out<Bool>,
    _ hasNoResults: Out<Bool>, _ hasMore: Out<Bool>, in results: Rows<Row>,
    _ failure: Out<Failure?>, row: @escaping (Item) -> Row, onSearch: @escaping () -> Void
  ) {
    let isTyping = Out(false)
    // The text whose results are shown.
    let answered = Out("")
    let isWaiting = combineLatest(isTyping, text).map { $0 && !$1.isBlank }
    isSearching.bind(combineLatest(isWaiting, isLoading).map { $0 || $1 })
    hasNoResults.derive {
      !text.value.isBlank && text.value == answered.value && !isSearching.value
        && results.isEmpty && failure.value == nil
    }
    text.observe { [self] query in
      guard query.isBlank else { return }
      clear()
      results.reset(to: [])
      hasMore.value = false
    }
    text.edits.debounce(.milliseconds(300), isPending: isTyping).observe { [self] query in
      guard !query.isBlank, query == text.value else { return }
      onSearch()
      reload(with: query)
    }
    reachedEnd.observe { [self] in
      if isLoaded { loadNext() }
    }
    values.observe { [self] page in
      let rows = page.items.map(row)
      if page.isFirst { results.reset(to: rows) } else { results.append(contentsOf: rows) }
      hasMore.value = self.hasMore
      answered.value = query
    }
    // The text from before a restart.
    if !text.value.isBlank { reload(with: text.value) }
  }
}
