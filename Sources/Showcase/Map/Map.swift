import Offstage

/// The map and the sheet over it: the places within the visible bounds, page by page, or the
/// details of a tapped place.
final class Map: Screen {
  static let kind = "map"

  enum Action: LoggableEvent {
    static let screen = "map"
    case didAppear
    case placeTapped(id: Int)
    case sorted(by: PlaceSort)
    case searchBarTapped, locateTapped
  }

  struct Dependency {
    let repository: any MapRepository
    let coordinator: any MapCoordinator
    let userLocation: UserLocation
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let boundsChanged = In<Bounds>()
    let sortBy = Field(PlaceSort.distance)
    let reachedEnd = In<Trigger>(.end(of: \Output.places))
    let retry = In<Trigger>()
    let placeTapped = In<Int>()
    let searchBarTapped = In<Trigger>()
    let searchBackTapped = In<Trigger>()
    /// Centers the map on the user.
    let locateTapped = In<Trigger>()
    let sheetDetentChanged = Field(SheetDetent.half)
    /// Shows the open place on its own screen.
    let detailsTapped = In<Trigger>(.enabled(by: \Output.areDetailsOpen))
    /// Goes back from the open place to the list.
    let detailsClosed = In<Trigger>(.enabled(by: \Output.areDetailsOpen))
  }

  struct Output: StaleOutput {
    let sections = Rows<PlaceSection>()
    let places = Rows<PlaceRow>()
    let markers = Rows<PlaceMarker>()
    /// The open place; nil while the sheet shows the list.
    let details = Out<PlaceInfo?>(nil)
    let areDetailsOpen = Out(false)
    let hasMore = Out(true)
    let sheetDetent = Out(SheetDetent.half)
    let center = Out(Coordinate.seoulCityHall)
    let isLoading = Out(false)
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  /// The number of places on a page.
  static let pageSize = 20

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let prompts = Prompts()
  private let localizer = Localizer()
  private lazy var location = effects.task(.latest)
  /// Loads the places within the bounds.
  private let list: Pager<PlaceQuery, Place>
  /// Loads the details of the tapped place as a single page, which is empty if the place is gone.
  private let opening: Pager<Int, PlaceDetails>
  /// Receives the outcome of the search. It is not on the wire.
  private let searched = In<Outcome<Place>>()
  /// The details of the open place, which the sheet shows instead of the list.
  private var details: [PlaceDetails]?
  private var detailsStaleSince: Duration?
  /// Repeats the most recent failed request.
  private var retry: @CoreActor () -> Void = {}
  /// True once the user's location has been requested.
  private var hasAskedForLocation = false
  /// True if the user has moved the map, opened a place, or reached a further page.
  private var hasMoved = false

  init(dependency: Dependency) {
    self.dependency = dependency
    let query = PlaceQuery(
      bounds: .seoul, sort: .distance, center: .seoulCityHall, language: localizer.language)
    let repository = dependency.repository
    list = Pager(
      for: query, effects, limit: Self.pageSize,
      fetch: { repository.places($0.query, page: $0.page, size: $0.limit) })
    opening = Pager(
      for: 0, effects, name: "details",
      cached: { try await repository.details(of: $0.query).cached()?.map(Self.page(of:)) },
      current: { Self.page(of: try await repository.details(of: $0.query).current()) })
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.placeTapped) { Action.placeTapped(id: $0) }
    dependency.tracker.track(input.sortBy.edits) { Action.sorted(by: $0) }
    dependency.tracker.track(input.searchBarTapped, as: Action.searchBarTapped)
    dependency.tracker.track(input.locateTapped, as: Action.locateTapped)
    bindList()
    bindSheet()
    bindSearch()
    bindLocation()
    localizer.onChange { [self] in
      showMarkers()
      showSheet(details?.map(\.place) ?? list.items)
      showInfo()
      changeLanguage()
    }
    input.didAppear.observe { [self] in list.load() }
  }

  private static func page(of details: PlaceDetails?) -> Page<PlaceDetails> {
    Page(details.map { [$0] } ?? [], hasMore: false)
  }

  // MARK: The list

  private func bindList() {
    // These outputs cover the details, too.
    output.bind(
      list, .loadPlaces, localizer,
      isLoading: combineLatest(list.isLoading, opening.isLoading).map { $0 || $1 },
      otherFailure: opening.failure)
    list.arrivals.observe { [self] in show($0) }
    input.boundsChanged.observe { [self] bounds in
      // Before the location is requested, these are the front end's initial bounds, not a move.
      if hasAskedForLocation { hasMoved = true }
      look(at: bounds, around: bounds.center)
    }
    input.sortBy.observe { [self] sort in
      guard sort != list.query.sort else { return }
      closeDetails()
      startOver { $0.sort = sort }
    }
    input.reachedEnd.observe { [self] in
      guard details == nil else { return }
      if list.hasMore { hasMoved = true }
      list.loadNext()
    }
    list.failures.observe { [self] _ in retry = list.retry }
    opening.failures.observe { [self] _ in retry = opening.retry }
    // `retry` must repeat the other list's failure, if it has one.
    list.arrivals.observe { [self] _ in retry = opening.retry }
    opening.arrivals.observe { [self] _ in retry = list.retry }
    input.retry.observe { [self] in
      dependency.repository.retry()
      retry()
    }
  }

  /// Reloads the places if their order depends on the language.
  private func changeLanguage() {
    let query = list.query
    if list.isLoaded, query.sort == .name, query.language != localizer.language { startOver() }
  }

  /// Centers the map on a point without changing its size.
  private func go(to center: Coordinate) {
    look(at: list.query.bounds.moved(to: center), around: center)
  }

  /// Changes the bounds and loads the places within them.
  private func look(at bounds: Bounds, around center: Coordinate) {
    output.center.value = center
    guard bounds != list.query.bounds else { return }
    startOver {
      $0.bounds = bounds
      $0.center = center
    }
  }

  private func startOver(_ change: (inout PlaceQuery) -> Void = { _ in }) {
    var query = list.query
    query.language = localizer.language
    change(&query)
    list.startOver(with: query)
  }

  /// Shows a page. The first one replaces the list; later ones are appended. An open place stays.
  private func show(_ page: Pager<PlaceQuery, Place>.Arrival) {
    if page.isFirst || details != nil {
      showMarkers()
    } else {
      output.markers.append(contentsOf: inWords(page.items, PlaceMarker.init))
    }
    if details == nil {
      if page.isFirst { showSheet(list.items) } else { addToSheet(page.items) }
    }
    showEnd()
  }

  // MARK: The sheet

  private func bindSheet() {
    opening.arrivals.observe { [self] page in
      show(page.items)
      if page.items.isEmpty {
        let gone = LoadFailure(.notFound, "The place does not exist.", retryable: false)
        output.failed.send(localizer.report(gone, .loadPlace))
      }
    }
    opening.failures.observe { [self] in output.failed.send(localizer.report($0, .loadPlace)) }
    opening.staleSince.observe { [self] since in
      detailsStaleSince = since
      showInfo()
    }
    dependency.userLocation.coordinate.observe { [self] _ in showInfo() }
    input.detailsClosed.observe { [self] in closeDetails() }
    input.placeTapped.observe { [self] in open($0) }
    input.detailsTapped.observe { [self] in
      if let id = details?.first?.place.id { dependency.coordinator.showPlace(id: id) }
    }
    output.sheetDetent.bind(input.sheetDetentChanged)
    input.sheetDetentChanged.edits.observe { [self] in if $0 == .tip { closeDetails() } }
  }

  /// Shows a place in the sheet, unless it is open there.
  private func open(_ id: Int) {
    hasMoved = true
    raiseSheet()
    if details?.contains(where: { $0.place.id == id }) != true { opening.startOver(with: id) }
  }

  private func raiseSheet() {
    if input.sheetDetentChanged.value == .tip { input.sheetDetentChanged.value = .half }
  }

  /// Shows the details of a place. If there are none, the sheet is empty and the markers stay.
  private func show(_ details: [PlaceDetails]) {
    self.details = details
    showMarkers()
    showSheet(details.map(\.place))
    showInfo()
    showEnd()
  }

  private func showInfo() {
    output.areDetailsOpen.value = details != nil
    output.details.value = details?.first.map { details in
      let way = dependency.userLocation.coordinate.value.map {
        dependency.repository.way(from: $0, to: details.place.coordinate)
      }
      // A search result is shown before its details are loaded.
      let isOpened = opening.items.first?.place.id == details.place.id
      return PlaceInfo(details, way, staleSince: isOpened ? detailsStaleSince : nil, localizer)
    }
  }

  /// Goes back from a place to the list. The marker of a place outside the list disappears.
  private func closeDetails() {
    opening.clear()
    retry = list.retry
    guard details != nil else { return }
    details = nil
    showMarkers()
    showSheet(list.items)
    showInfo()
    showEnd()
  }

  /// Shows markers for the places in the list and for the open place.
  private func showMarkers() {
    let places = list.items + (details ?? []).map(\.place)
    output.markers.reset(to: inWords(places, PlaceMarker.init).withoutRepeats)
  }

  private func showSheet(_ places: [Place]) {
    output.sections.reset(to: inWords(places, PlaceSection.init).withoutRepeats)
    output.places.reset(to: inWords(places, PlaceRow.init))
  }

  private func addToSheet(_ places: [Place]) {
    output.sections.append(contentsOf: inWords(places, PlaceSection.init))
    output.places.append(contentsOf: inWords(places, PlaceRow.init))
  }

  private func inWords<Row>(_ places: [Place], _ row: (Place, any Words) -> Row) -> [Row] {
    let words = localizer.words
    return places.map { row($0, words) }
  }

  /// The details of a place have no further pages.
  private func showEnd() { output.hasMore.value = details == nil && list.hasMore }

  // MARK: The search

  private func bindSearch() {
    // The map's Back button also opens the search, because its bar belongs to the search.
    input.searchBarTapped.merge(input.searchBackTapped).observe { [self] (_: Trigger) in
      dependency.coordinator.showSearch(from: output.center.value, into: searched)
    }
    searched.observe { [self] outcome in
      guard case .finished(let place) = outcome else { return }
      hasMoved = true
      go(to: place.coordinate)
      raiseSheet()
      // Show the result now; the details replace it once they are loaded.
      show([PlaceDetails(place)])
      opening.startOver(with: place.id)
    }
  }

  // MARK: The user's location

  private func bindLocation() {
    input.didAppear.observe { [self] in
      if !hasAskedForLocation { locate(isRequested: false) }
    }
    input.locateTapped.observe { [self] in locate(isRequested: true) }
  }

  /// Asks for the user's location and moves the map there, unless the request is refused or
  /// unsupported.
  /// - Parameter isRequested: True if the user tapped the button. The map then always moves, and a
  ///   refusal is shown.
  private func locate(isRequested: Bool) {
    hasAskedForLocation = true
    location.run { [self] in
      let location = try await prompts.ask(.currentLocation)
      dependency.userLocation.coordinate.value = location
      if isRequested || !hasMoved { go(to: location) }
    } catch: { [self] error in
      if isRequested, error as? PromptError != .dismissed {
        dependency.coordinator.showAlert(error)
      }
    }
  }
}

@CoreActor
protocol MapCoordinator {
  /// Shows the search, or moves the open one to the top.
  /// - Parameters:
  ///   - center: The point that distances are measured from.
  ///   - outcome: Receives the picked place, once.
  func showSearch(from center: Coordinate, into outcome: In<Outcome<Place>>)

  func showPlace(id: Int)
  func showAlert(_ error: any Error)
}
