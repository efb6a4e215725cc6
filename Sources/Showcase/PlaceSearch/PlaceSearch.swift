public import Offstage

/// Finds places by their names as one types, and ends with the one that is picked.
public final class PlaceSearch: Screen {
  public static let kind = "placeSearch"

  public struct Dependency {
    public let repository: any PlaceSearchRepository

    public init(repository: any PlaceSearchRepository) { self.repository = repository }
  }

  public struct Input: Ports {
    public let queryText = In<String>()
    public let retry = In<Trigger>()
    public let placeTapped = In<Int>()
    public init() {}
  }

  public struct Output: Ports {
    public let query = Out("")
    public let results = Rows<Place>()
    public let isLoading = Out(false)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  public typealias Result = Place

  /// More than that nobody reads; one types another letter.
  static let limit = 50

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  public init(dependency: Dependency) {
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

  /// Searches for what stands there now: the newest query wins, however long an older one takes.
  private func search(_ repository: any PlaceSearchRepository) {
    let query = output.query.value
    guard !query.isEmpty else {
      effects.cancel("search")
      return output.results.removeAll()
    }
    effects.run("search", .latest) { [self] in
      let found = try await repository.places(named: query, limit: Self.limit)
      // They may have been on their way already when a newer query took their place.
      try Task.checkCancellation()
      output.results.reset(to: found)
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}
