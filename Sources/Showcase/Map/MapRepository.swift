public import Offstage

/// What the map needs to know of the world, and no more.
public protocol MapRepository: Sendable {
  /// The places within some bounds, page by page, in an order that is the same for every page.
  /// - Parameters:
  ///   - page: counted from 0.
  ///   - size: how many places a page has.
  /// - Throws: `LoadFailure`, or `CancellationError` when the caller was cancelled.
  func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place>

  /// What there is to say about one place; nothing where it is no longer known.
  /// - Throws: as ``places(_:page:size:)``.
  func details(of id: Int) async throws -> [Place]
}

/// Which places, and which of them first.
public struct PlaceQuery: Hashable, Sendable {
  public var bounds: Bounds
  public var sort: PlaceSort
  /// What distances are measured from.
  public var center: Coordinate

  public init(bounds: Bounds, sort: PlaceSort, center: Coordinate) {
    self.bounds = bounds
    self.sort = sort
    self.center = center
  }
}

/// What comes first.
public enum PlaceSort: String, Codable, CaseIterable, Sendable {
  /// The nearest to the centre.
  case distance
  /// The best rated; what nobody has rated comes last.
  case rating
  /// The first by the alphabet.
  case name
}
