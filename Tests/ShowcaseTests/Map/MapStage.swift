import Offstage
import OffstageTesting
import Showcase
import Testing

/// A map in a test's hands: its places come, and its coordinator answers, when the test says so.
@CoreActor
struct MapStage {
  let core: TestCore
  let repository: MockPlaces
  let coordinator = MockMapCoordinator()
  let map: Map
  let failures: Events<LoadFailure>

  init(heedsCancellation: Bool = true, capabilities: Set<String> = []) {
    let core = TestCore(capabilities: capabilities)
    let repository = MockPlaces(heedsCancellation: heedsCancellation)
    let coordinator = coordinator
    self.core = core
    self.repository = repository
    map = core.show { Map(dependency: .init(repository: repository, coordinator: coordinator)) }
    failures = Events(of: map.output.failed)
  }

  /// Appears with a first page.
  static func appeared(heedsCancellation: Bool = true) async -> MapStage {
    let stage = MapStage(heedsCancellation: heedsCancellation)
    stage.map.input.didAppear.send()
    await stage.reply(1...20)
    return stage
  }

  func reply(_ ids: some Sequence<Int>, hasMore: Bool = true) async {
    await repository.pages.next().reply(Page(ids, hasMore: hasMore))
    await turns()
  }

  func fail() async {
    await repository.pages.next().fail(LoadFailure.offline)
    await turns()
  }

  func replyDetails(_ ids: [Int]) async {
    await repository.details.next().reply(ids.map(Place.number))
    await turns()
  }

  /// The numbers of the pages that were asked for.
  var pages: [Int] { repository.pages.questions.map(\.page) }

  /// Compares what is shown.
  /// - Parameter markers: nil where they are those of the places.
  func check(
    places: some Sequence<Int>, markers: [Int]? = nil, hasMore: Bool = true,
    isLoading: Bool = false, at location: SourceLocation = #_sourceLocation
  ) {
    let output = map.output
    let places = Array(places)
    #expect(output.places.values.map(\.id) == places, sourceLocation: location)
    #expect(output.markers.values.map(\.id) == markers ?? places, sourceLocation: location)
    #expect(output.hasMore.value == hasMore, sourceLocation: location)
    #expect(output.isLoading.value == isLoading, sourceLocation: location)
    // Every place names a section that is there, and every section has a place.
    #expect(
      Set(output.places.values.map(\.section)) == Set(output.sections.values.map(\.id)),
      sourceLocation: location)
  }
}
