import Offstage

extension Pager where Query == String {
  /// Searches for the text of a field when the user pauses typing. The newest text wins, however
  /// long an older search takes, and empty text ends the search.
  /// - Parameters:
  ///   - isSearching: True from the first edit until the results arrive.
  ///   - failure: The reason that the newest search failed.
  ///   - onSearch: Called when a search starts.
  ///   - show: Called with the results.
  func search(
    _ text: Field<String>, _ isSearching: Out<Bool>, _ hasNoResults: Out<Bool>,
    in results: Rows<some Identifiable & Codable & Hashable & Sendable>, _ failure: Out<Failure?>,
    onSearch: @escaping () -> Void, show: @escaping ([Item]) -> Void
  ) {
    let isTyping = Out(false)
    isSearching.bind(combineLatest(isTyping, isLoading).map { $0 || $1 })
    hasNoResults.derive {
      !text.value.isBlank && !isSearching.value && results.isEmpty && failure.value == nil
    }
    text.edits.observe { isTyping.value = !$0.isBlank }
    text.edits.debounce(.milliseconds(300)).observe { [self] query in
      isTyping.value = false
      if query.isBlank {
        cancel()
        show([])
      } else {
        onSearch()
        startOver(with: query)
      }
    }
    arrivals.observe { show($0.items) }
  }
}
