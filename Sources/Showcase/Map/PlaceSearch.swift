import Offstage

/// Searches places by name and finishes with the one that is picked.
final class PlaceSearch: Screen {
  static let kind = "placeSearch"

  struct Dependency {
    let repository: any PlaceSearchRepository
  }

  struct Input: Ports {
    let queryText = In<String>()
    let retry = In<Trigger>()
    let placeTapped = In<Int>()
  }

  struct Output: Ports {
    let query = Out("")
    let results = Rows<Place>()
    let isLoading = Out(false)
    let failed = Event<LoadFailure>()
  }

  typealias Result = Place

  /// The maximum number of results; typing another letter narrows them down.
  static let limit = 50

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(dependency: Dependency) {
    output.query.bind(input.queryText)
    output.isLoading.bind(effects.activity("search"))
    input.queryText.debounce(.milliseconds(300)).observe { [self] (_: String) in
      search(dependency.repository)
    }
    input.retry.observe { [self] in search(dependency.repository) }
    input.placeTapped.observe { [self] id in
      if let place = output.results[id] { finish(place) }
    }
  }

  /// Searches for the current query. The newest query wins, however long an older one takes.
  private func search(_ repository: any PlaceSearchRepository) {
    let query = output.query.value
    guard !query.isEmpty else {
      effects.cancel("search")
      return output.results.removeAll()
    }
    effects.run("search", .latest) { [self] in
      let found = try await repository.places(named: query, limit: Self.limit)
      // A newer query may have replaced this one while its results were on their way.
      try Task.checkCancellation()
      output.results.reset(to: found)
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}

/// Finds places by name.
public protocol PlaceSearchRepository: Sendable {
  /// Returns the places whose name, in either language, contains `text`. Those whose name starts
  /// with it come first.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was cancelled.
  func places(named text: String, limit: Int) async throws -> [Place]
}
