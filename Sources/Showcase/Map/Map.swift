import Offstage

/// The map and the sheet over it: the places within the visible bounds or the results of a search,
/// page by page, or the details of one place.
final class Map: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "map"
    case didAppear
    case placeTapped(id: Int)
    case sorted(by: PlaceSort)
    case searchBarTapped, allTapped, locateTapped, welcomeClosed
  }

  struct Dependency {
    let repository: any PlaceRepository
    let coordinator: any MapCoordinator
    /// nil until the device has answered.
    let userLocation: Out<Coordinate?>
    let accountSwitches: Signal<Trigger>
    let welcome: Preference<WelcomeState>
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
    let searchBackTapped = In<Trigger>(.visible(by: \Output.areResultsShown))
    let allTapped = In<Trigger>()
    /// Centers the map on the user.
    let locateTapped = In<Trigger>()
    let sheetDetentChanged = Field(SheetDetent.half)
    /// Shows the open place on its own screen.
    let detailsTapped = In<Trigger>(
      .enabled(by: \Output.areDetailsOpen), .visible(by: \Output.areDetailsOpen))
    /// Goes back from the open place to the list.
    let detailsClosed = In<Trigger>(
      .cancel, .enabled(by: \Output.areDetailsOpen), .visible(by: \Output.areDetailsOpen))
    /// Goes back from the results of a search to the places within the bounds.
    let resultsClosed = In<Trigger>(
      .cancel, .enabled(by: \Output.areResultsShown), .visible(by: \Output.areResultsShown))
    /// Shows the results again that were closed last, as a browser's Forward does.
    let resultsReopened = In<Trigger>(.hidden)
    let welcomeClosed = In<Trigger>()
    /// Goes back to where there were places.
    let returnTapped = In<Trigger>()
  }

  struct Output: StaleOutput {
    /// What the app is for; nil once the user has read it.
    let welcome = Out<String?>(nil, .notice(actions: \Input.welcomeClosed))
    let sections = Rows<PlaceSection>()
    let places = Rows<PlaceRow>()
    let markers = Rows<PlaceMarker>(.hidden)
    /// The places without pins, if there are many.
    let clusters = Rows<PlaceCluster>(.hidden)
    /// Says that there are no places within the bounds; nil if there are, or until it is known.
    let emptyArea = Out<String?>(
      nil, .empty(of: \Output.places, actions: \Input.returnTapped))
    /// The URI of a drawing of the ground below the markers.
    let ground = Out("", .hidden)
    /// The open place; nil while the sheet shows the list.
    let details = Out<PlaceInfo?>(nil)
    let areDetailsOpen = Out(false)
    /// True while the list has the results of a search.
    let areResultsShown = Out(false)
    /// The search whose results the list has, in words.
    let resultsTitle = Out<String?>(nil, .subtitle)
    let hasMore = Out(true)
    let sheetDetent = Out(SheetDetent.half)
    let center = Out(Coordinate.seoulCityHall, [.hidden, .kept])
    /// The area around `center` to show if the map must become larger; nil if its size stays.
    let area = Out<Bounds?>(nil, [.hidden, .kept])
    let isLoading = Out(false, .busy(of: \Output.places))
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  /// The number of places on a page.
  static let pageSize = 20

  private static let pages = SharedArrays<Place>()

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let localizer = Localizer()
  private lazy var location = effects.task(.latest)
  private let clusters: PlaceClusters
  /// The newest bounds with places.
  private let inhabited = Kept(Bounds.seoul)
  /// Loads the places within the bounds, or the results of a search.
  private let list: Pager<PlaceList, Place>
  /// The visible bounds, and the order of the places within them.
  private var nearby: PlaceQuery
  private let bounds = Kept(Bounds.seoul)
  /// Loads the details of the tapped place as a single page, which is empty if the place is gone.
  private let opening: Pager<Int, PlaceDetails>
  /// Receives the result of the search. It is not on the wire.
  private let searched = In<PlaceSearchResult?>()
  /// The details of the open place, which the sheet shows instead of the list.
  private var details: [PlaceDetails]?
  private var detailsStaleSince: Duration?
  /// Repeats the most recent failed request.
  private var retry: @CoreActor () -> Void = {}
  /// True if the user has tapped the button for the location, false if only the map has asked for it, and
  /// nil before.
  private let isLocationRequested = Kept<Bool?>(nil)
  private let hasAppeared = Kept(false)
  /// The search to whose results the map has moved.
  private let shownSearch = Kept<PlaceSearchQuery?>(nil)
  /// The search whose results were closed last.
  private let closedSearch = Kept<PlaceSearchQuery?>(nil)
  /// True if the user has moved the map, opened a place, or reached a further page.
  private let hasMoved = Kept(false)

  init(dependency: Dependency) {
    self.dependency = dependency
    nearby = PlaceQuery(
      bounds: bounds.value, sort: input.sortBy.value, center: output.center.value,
      language: localizer.language)
    let repository = dependency.repository
    clusters = PlaceClusters(in: output.clusters, repository)
    list = Pager(
      for: .nearby(nearby), effects, limit: Self.pageSize, sharing: Self.pages.shared,
      fetch: { request in
        switch request.query {
        case .nearby(let query): repository.places(query, page: request.page, size: request.limit)
        case .found(let search): repository.places(search, page: request.page, size: request.limit)
        }
      })
    opening = Pager(
      for: 0, effects, name: "details",
      fetch: { repository.details(of: $0.query).map(Self.page(of:)) })
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.placeTapped) { Action.placeTapped(id: $0) }
    dependency.tracker.track(input.sortBy.edits) { Action.sorted(by: $0) }
    dependency.tracker.track(input.searchBarTapped, as: Action.searchBarTapped)
    dependency.tracker.track(input.allTapped, as: Action.allTapped)
    dependency.tracker.track(input.locateTapped, as: Action.locateTapped)
    dependency.tracker.track(input.welcomeClosed, as: Action.welcomeClosed)
    bindList()
    bindSheet()
    bindSearch()
    bindLocation()
    dependency.welcome.value.observe { [self] _ in showWelcome() }
    input.welcomeClosed.observe {
      dependency.welcome.choose(.read) { dependency.coordinator.showAlert($0) }
    }
    localizer.onChange { [self] in
      showMarkers()
      showSheet(details?.map(\.place) ?? list.items)
      showInfo()
      showResultsTitle()
      showEmptyArea()
      showWelcome()
      // The order depends on the language.
      nearby.language = localizer.language
      if list.isLoaded, nearby.sort == .name { update() }
    }
    input.didAppear.observe { [self] in list.load() }
    output.ground.derive { [localizer] in GroundResource.uri(in: localizer.words) }
  }

  /// Says what the app is for, until the user has read it. By the first appearance, it is known if so.
  private func showWelcome() {
    let isUnread = hasAppeared.value && dependency.welcome.value.value == .unread
    output.welcome.value = isUnread ? localizer.words.welcome : nil
  }

  private nonisolated static func page(of details: PlaceDetails?) -> Page<PlaceDetails> {
    Page(details.map { [$0] } ?? [], hasMore: false)
  }

  // MARK: The list

  private func bindList() {
    // These outputs cover the details, too.
    output.bind(
      list, self.search == nil ? .loadPlaces : .searchPlaces, localizer,
      isLoading: combineLatest(list.isLoading, opening.isLoading).map { $0 || $1 },
      otherFailure: opening.failure)
    list.values.observe { [self] in show($0) }
    input.boundsChanged.observe { [self] bounds in
      // A front end that has measured the map, or was resized, keeps the center.
      if isLocationRequested.value != nil, !bounds.isCentered(on: output.center.value) {
        hasMoved.value = true
      }
      look(at: bounds, around: bounds.center)
    }
    input.sortBy.observe { [self] sort in
      guard sort != nearby.sort else { return }
      nearby.sort = sort
      closeDetails()
      closeResults()
      update()
    }
    input.reachedEnd.observe { [self] in
      guard details == nil else { return }
      if list.hasMore { hasMoved.value = true }
      list.loadNext()
    }
    list.failures.observe { [self] _ in retry = list.retry }
    opening.failures.observe { [self] _ in retry = opening.retry }
    // `retry` must repeat the other list's failure, if it has one.
    list.values.observe { [self] _ in retry = opening.retry }
    opening.values.observe { [self] _ in retry = list.retry }
    input.retry.observe { [self] in
      dependency.repository.retry()
      retry()
    }
  }

  /// Centers the map on a point without changing its size.
  private func go(to center: Coordinate) {
    look(at: nearby.bounds.moved(to: center), around: center)
  }

  /// Changes the bounds and loads the places within them.
  private func look(at bounds: Bounds, around center: Coordinate) {
    output.center.value = center
    guard bounds != nearby.bounds else { return }
    (nearby.bounds, nearby.center) = (bounds, center)
    self.bounds.value = bounds
    update()
  }

  /// Loads the places within the bounds after a change. The results of a search stay.
  private func update() {
    if search == nil, list.query != .nearby(nearby) { list.reload(with: .nearby(nearby)) }
  }

  /// Shows a page. The first one replaces the list; later ones are appended. An open place stays.
  private func show(_ page: Page<Place>) {
    if page.isFirst, search != nil {
      showResults()
    } else if page.isFirst || details != nil {
      showMarkers()
    } else {
      output.markers.append(contentsOf: inWords(page.items, PlaceMarker.init))
    }
    if details == nil {
      if page.isFirst { showSheet(list.items) } else { addToSheet(page.items) }
    }
    if search == nil, !list.items.isEmpty { inhabited.value = nearby.bounds }
    showClusters()
    showEnd()
  }

  // MARK: The sheet

  private func bindSheet() {
    opening.values.observe { [self] page in
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
    dependency.userLocation.observe { [self] _ in showInfo() }
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
    hasMoved.value = true
    raiseSheet()
    if details?.contains(where: { $0.place.id == id }) != true { opening.reload(with: id) }
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
      let way = dependency.userLocation.value.map {
        dependency.repository.way(from: $0, to: details.place.coordinate)
      }
      // A search result is shown before its details are loaded.
      let isOpened = opening.items.first?.place.id == details.place.id
      return PlaceInfo(
        details, way, staleSince: isOpened ? detailsStaleSince : nil, localizer.format)
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

  private func inWords<Row>(_ places: [Place], _ row: (Place, Format) -> Row) -> [Row] {
    places.map { row($0, localizer.format) }
  }

  /// The details of a place have no further pages.
  private func showEnd() {
    output.hasMore.value = details == nil && list.hasMore
    showEmptyArea()
  }

  private func showEmptyArea() {
    let isEmpty = details == nil && search == nil && list.isLoaded && list.items.isEmpty
    output.emptyArea.value = isEmpty ? localizer.words.noPlaces : nil
  }

  /// Counts the places that have no pins, unless the list has all of them.
  private func showClusters() {
    guard search == nil, list.hasMore else { return clusters.clear() }
    clusters.show(nearby.bounds, besides: list.items)
  }

  // MARK: The search

  private func bindSearch() {
    // The map's Back button also opens the search, because its bar belongs to the search.
    input.searchBarTapped.merge(input.searchBackTapped).observe { [self] (_: Trigger) in
      dependency.coordinator.showSearch(from: output.center.value, into: searched)
    }
    searched.observe { [self] result in
      switch result {
      case .place(let place): show(found: place)
      case .all(let search): show(found: search)
      case nil: break
      }
    }
    input.allTapped.observe { [self] in dependency.coordinator.showAllPlaces() }
    input.resultsClosed.observe { [self] in closeResults() }
    input.resultsReopened.observe { [self] in
      if search == nil, let closed = closedSearch.value { show(found: closed) }
    }
    input.returnTapped.observe { [self] in
      hasMoved.value = true
      let bounds = nearby.bounds.moved(to: inhabited.value)
      if !nearby.bounds.hasRoom(for: inhabited.value) { output.area.value = bounds }
      look(at: bounds, around: inhabited.value.center)
    }
    // A search belongs to the account that was shown.
    dependency.accountSwitches.observe { [self] (_: Trigger) in
      closeResults()
      closedSearch.value = nil
    }
    showResultsTitle()
  }

  /// The search whose results the list has.
  private var search: PlaceSearchQuery? {
    if case .found(let search) = list.query { search } else { nil }
  }

  private func show(found search: PlaceSearchQuery) {
    hasMoved.value = true
    raiseSheet()
    fill(with: .found(search))
  }

  private func show(found place: Place) {
    hasMoved.value = true
    closeResults()
    go(to: place.coordinate)
    raiseSheet()
    // Show the result now; the details replace it once they are loaded.
    show([PlaceDetails(place)])
    opening.reload(with: place.id)
  }

  /// Goes back from the results of a search to the places within the bounds.
  private func closeResults() {
    guard let search else { return }
    closedSearch.value = search
    fill(with: .nearby(nearby))
  }

  /// Empties the list and fills it with other places. The markers stay until these arrive.
  private func fill(with places: PlaceList) {
    closeDetails()
    list.clear()
    list.reload(with: places)
    showSheet([])
    output.area.value = nil
    shownSearch.value = nil
    showResultsTitle()
  }

  /// Moves the map to the results, and enlarges it if they need more room. If there are none, the
  /// markers stay.
  private func showResults() {
    guard let found = Bounds(around: list.items.map(\.coordinate)) else { return }
    showMarkers()
    guard shownSearch.value != search else { return }
    shownSearch.value = search
    let bounds = nearby.bounds.moved(to: found)
    output.area.value = nearby.bounds.hasRoom(for: found) ? nil : bounds
    look(at: bounds, around: found.center)
  }

  private func showResultsTitle() {
    output.areResultsShown.value = search != nil
    output.resultsTitle.value = search.map { localizer.words.searchResults(for: $0.text) }
  }

  // MARK: The user's location

  private func bindLocation() {
    input.didAppear.observe { [self] in
      if isLocationRequested.value == nil { locate(isRequested: false) }
      hasAppeared.value = true
      showWelcome()
    }
    input.locateTapped.observe { [self] in locate(isRequested: true) }
    location.onRestart("location") { [self] in
      locate(isRequested: isLocationRequested.value == true)
    }
  }

  /// Asks for the user's location, and moves the map there. If the user has tapped the button, it always
  /// moves, and a refusal is shown.
  private func locate(isRequested: Bool) {
    isLocationRequested.value = isRequested
    location.run { [self] in
      let reason = localizer.words.locationReason
      let location = try await effects.ask(
        isRequested ? .currentLocation : .currentLocation(because: reason))
      dependency.userLocation.value = location
      if isRequested || !hasMoved.value { go(to: location) }
    } catch: { [self] error in
      if isRequested, error as? PromptError != .dismissed {
        dependency.coordinator.showAlert(error)
      }
    }
  }
}

protocol MapCoordinator: AlertRouter, AllPlacesCoordinator {
  /// Shows the search, or moves the open one to the top. `result` receives what the user picks, once.
  func showSearch(from center: Coordinate, into result: In<PlaceSearchResult?>)

  func showAllPlaces()
}

private enum PlaceList: Codable, Hashable, Sendable {
  case nearby(PlaceQuery)
  case found(PlaceSearchQuery)
}
