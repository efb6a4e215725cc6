import Offstage

/// The map and the sheet over it: the places within the visible bounds, page by page, and the details
/// of a place once it is tapped.
final class Map: Screen {
  static let kind = "map"

  struct Dependency {
    let repository: any MapRepository
    let coordinator: any MapCoordinator
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let boundsChanged = In<Bounds>()
    let sortBy = In<PlaceSort>()
    let reachedEnd = In<Trigger>()
    let retry = In<Trigger>()
    let placeTapped = In<Int>()
    let searchBarTapped = In<Trigger>()
    let searchBackTapped = In<Trigger>()
    let sheetDetentChanged = In<SheetDetent>()
  }

  struct Output: Ports {
    let sections = Rows<PlaceSection>()
    let places = Rows<PlaceRow>()
    let markers = Rows<PlaceMarker>()
    let isLoading = Out(false)
    let hasMore = Out(true)
    let sheetDetent = Out(SheetDetent.half)
    let center = Out(Coordinate.seoulCityHall)
    let failed = Event<LoadFailure>()
  }

  /// The number of places on a page.
  static let pageSize = 20

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let prompts = Prompts()
  private let pager: Pager<PlaceQuery, Place>
  /// Receives the outcome of the search. It is not on the wire.
  private let searched = In<Outcome<Place>>()
  /// The details of the tapped place, which the sheet shows instead of the list.
  private var details: [Place]?
  /// The place whose details failed to load; `retry` loads them again.
  private var failedDetails: Int?
  /// False once a search has moved the map.
  private var followsPerson = true

  init(dependency: Dependency) {
    self.dependency = dependency
    let query = PlaceQuery(bounds: .seoul, sort: .distance, center: .seoulCityHall)
    pager = Pager(for: query, effects) { request in
      try await dependency.repository.places(
        request.query, page: request.page, size: Self.pageSize)
    }
    bindList()
    bindSheet()
    bindSearch()
    input.didAppear.observe { [self] in
      locatePerson()
      pager.loadFirst()
    }
  }

  // MARK: The list

  private func bindList() {
    output.isLoading.bind(
      combineLatest(pager.isLoading, effects.activity("details")).map { $0 || $1 })
    pager.arrivals.observe { [self] in show($0) }
    pager.failures.observe { [self] error in
      failedDetails = nil
      output.failed.send(LoadFailure(error))
    }
    input.boundsChanged.observe { [self] in look(at: $0, around: $0.center) }
    input.sortBy.observe { [self] sort in
      if sort != pager.query.sort { startOver { $0.sort = sort } }
    }
    input.reachedEnd.observe { [self] in
      if details == nil { pager.loadNext() }
    }
    input.retry.observe { [self] in
      if let failedDetails { loadDetails(of: failedDetails) } else { pager.retry() }
    }
  }

  /// Moves the map to another center at the same size.
  private func go(to center: Coordinate) {
    look(at: pager.query.bounds.moved(to: center), around: center)
  }

  /// Changes the bounds and loads the places within them.
  private func look(at bounds: Bounds, around center: Coordinate) {
    output.center.value = center
    guard bounds != pager.query.bounds else { return }
    startOver {
      $0.bounds = bounds
      $0.center = center
    }
  }

  private func startOver(_ change: (inout PlaceQuery) -> Void) {
    var query = pager.query
    change(&query)
    failedDetails = nil
    effects.cancel("details")
    pager.startOver(with: query)
  }

  /// Shows a page: the first replaces everything, a later one is appended.
  private func show(_ page: Pager<PlaceQuery, Place>.Arrival) {
    if page.isFirst {
      details = nil
      output.markers.reset(to: page.items.map(PlaceMarker.init))
      showSheet(pager.items)
    } else {
      output.markers.append(contentsOf: page.items.map(PlaceMarker.init))
      if details == nil { addToSheet(page.items) }
    }
    showEnd()
  }

  // MARK: The sheet

  private func bindSheet() {
    input.placeTapped.observe { [self] in open($0) }
    input.sheetDetentChanged.observe { [self] detent in
      output.sheetDetent.value = detent
      if detent == .tip { closeDetails() }
    }
  }

  /// Shows a place in the sheet on the first tap and on its own screen on the second.
  private func open(_ id: Int) {
    if details?.contains(where: { $0.id == id }) == true {
      dependency.coordinator.showPlace(id: id)
    } else {
      loadDetails(of: id)
    }
  }

  private func loadDetails(of id: Int) {
    effects.run("details", .latest) { [self] in
      let details = try await dependency.repository.details(of: id)
      // Another place may have been tapped while these were on their way.
      try Task.checkCancellation()
      show(details)
    } catch: { [self] error in
      failedDetails = id
      output.failed.send(LoadFailure(error))
    }
  }

  /// Shows the details of a place. Without any, the sheet is empty and the markers stay.
  private func show(_ details: [Place]) {
    failedDetails = nil
    self.details = details
    if !details.isEmpty { output.markers.append(contentsOf: details.map(PlaceMarker.init)) }
    showSheet(details)
    showEnd()
  }

  /// Goes back from a place to the list.
  private func closeDetails() {
    guard details != nil else { return }
    details = nil
    showSheet(pager.items)
    showEnd()
  }

  private func showSheet(_ places: [Place]) {
    output.sections.reset(to: places.map(PlaceSection.init))
    output.places.reset(to: places.map(PlaceRow.init))
  }

  private func addToSheet(_ places: [Place]) {
    output.sections.append(contentsOf: places.map(PlaceSection.init))
    output.places.append(contentsOf: places.map(PlaceRow.init))
  }

  /// The details of a place have no further page.
  private func showEnd() { output.hasMore.value = details == nil && pager.hasMore }

  // MARK: The search

  private func bindSearch() {
    // Back on the map's own bar leads to the search as well: the bar belongs to the search.
    input.searchBarTapped.merge(input.searchBackTapped).observe { [self] (_: Trigger) in
      dependency.coordinator.showSearch(into: searched)
    }
    searched.observe { [self] outcome in
      guard case .finished(let place) = outcome else { return }
      followsPerson = false
      go(to: place.coordinate)
    }
  }

  // MARK: The person

  /// Asks for the person's location and moves the map there. If it is refused or unsupported, the map
  /// stays.
  private func locatePerson() {
    effects.run("location", .keepFirst) { [self] in
      let here = try await prompts.ask(.currentLocation)
      if followsPerson { go(to: here) }
    } catch: { _ in
    }
  }
}

/// The ways out of the map.
@CoreActor
protocol MapCoordinator {
  /// Shows the search, or moves the open one to the top.
  /// - Parameter outcome: receives the picked place, once.
  func showSearch(into outcome: In<Outcome<Place>>)

  func showPlace(id: Int)
}
