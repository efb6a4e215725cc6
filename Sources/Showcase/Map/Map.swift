public import Offstage

/// The map and the sheet over it: the places within what is visible, page by page, and one place in
/// full once it is tapped.
///
/// It fetches and says what to show. Where it leads to, only its coordinator knows.
public final class Map: Screen {
  public static let kind = "map"

  public struct Dependency {
    public let repository: any MapRepository
    public let coordinator: any MapCoordinator

    public init(repository: any MapRepository, coordinator: any MapCoordinator) {
      self.repository = repository
      self.coordinator = coordinator
    }
  }

  public struct Input: Ports {
    public let didAppear = In<Trigger>()
    public let boundsChanged = In<Bounds>()
    public let sortBy = In<PlaceSort>()
    public let reachedEnd = In<Trigger>()
    public let retry = In<Trigger>()
    public let placeTapped = In<Int>()
    public let searchBarTapped = In<Trigger>()
    public let searchBackTapped = In<Trigger>()
    public let sheetDetentChanged = In<SheetDetent>()
    public init() {}
  }

  public struct Output: Ports {
    public let sections = Rows<PlaceSection>()
    public let places = Rows<PlaceRow>()
    public let markers = Rows<PlaceMarker>()
    public let isLoading = Out(false)
    public let hasMore = Out(true)
    public let sheetDetent = Out(SheetDetent.half)
    public let center = Out(Coordinate.seoulCityHall)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  /// Places of one page.
  static let pageSize = 20

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  private let dependency: Dependency
  private let prompts = Prompts()
  private let pager: Pager<PlaceQuery, Place>
  /// How the search ended. It is an input, but not the front end's.
  private let searched = In<Outcome<Place>>()
  /// What the sheet shows instead of the list: what is known of a place that was tapped.
  private var details: [Place]?
  /// The place whose details did not come: what `retry` asks for again.
  private var failedDetails: Int?
  /// Whether the map goes where the person is; it stays where a search has led it.
  private var followsPerson = true

  public init(dependency: Dependency) {
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

  /// Goes to a place and shows as much around it as before.
  private func go(to center: Coordinate) {
    look(at: pager.query.bounds.moved(to: center), around: center)
  }

  /// Shows other bounds, and what is in them once it is there.
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

  /// The first page takes the place of everything; a later one adds to it, and its markers are the
  /// only new ones.
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

  /// The first tap shows a place in the sheet; once it is there, a further one goes on to its screen.
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
      // They may have been on their way already when another place was tapped.
      try Task.checkCancellation()
      show(details)
    } catch: { [self] error in
      failedDetails = id
      output.failed.send(LoadFailure(error))
    }
  }

  /// Nothing known of a place is something to show too: the sheet is empty then, and the markers
  /// stay as they are.
  private func show(_ details: [Place]) {
    failedDetails = nil
    self.details = details
    if !details.isEmpty { output.markers.append(contentsOf: details.map(PlaceMarker.init)) }
    showSheet(details)
    showEnd()
  }

  /// Pulled down to its tip, the sheet lets go of a place: pulled up again, it shows the list.
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

  /// What is known of one place has no further page.
  private func showEnd() { output.hasMore.value = details == nil && pager.hasMore }

  // MARK: The search

  private func bindSearch() {
    // Back on the map's own bar goes to the search as well: it is the search's bar that one sees.
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

  /// Asks where the person is and goes there. Refused, or asked of a front end that cannot tell, the
  /// map stays where it is.
  private func locatePerson() {
    effects.run("location", .keepFirst) { [self] in
      let here = try await prompts.ask(.currentLocation)
      if followsPerson { go(to: here) }
    } catch: { _ in
    }
  }
}

/// Where the map can lead.
@CoreActor
public protocol MapCoordinator {
  /// Shows the search, of which there is one at most.
  /// - Parameter outcome: gets the place that was found, once.
  func showSearch(into outcome: In<Outcome<Place>>)

  func showPlace(id: Int)
}
