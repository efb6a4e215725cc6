public import Offstage

/// A place on the map, such as a palace or a station.
public struct Place: Identifiable, Codable, Hashable, Sendable {
  public var id: Int
  public var name: String
  /// The name in the local language, if known.
  public var localName: String?
  /// The city, state or country around it, such as `Switzerland`, if known.
  public var region: String?
  /// The category, such as `palace`; `other` if unknown.
  public var category: String
  public var lat: Double
  public var lng: Double
  /// From 0 to 5; nil if unrated.
  public var rating: Double?

  public init(
    id: Int, name: String, localName: String? = nil, region: String? = nil, category: String,
    lat: Double, lng: Double, rating: Double? = nil
  ) {
    self.id = id
    self.name = name
    self.localName = localName
    self.region = region
    self.category = category
    self.lat = lat
    self.lng = lng
    self.rating = rating
  }

  public var coordinate: Coordinate { Coordinate(lat: lat, lng: lng) }
}

/// Loads the places of the map.
public protocol MapRepository: Sendable {
  /// Returns one page of the places within some bounds. The order is the same for every page.
  /// - Parameters:
  ///   - page: counted from 0.
  ///   - size: the number of places on a page.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was cancelled.
  func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place>

  /// Returns the details of a place; empty if the place no longer exists.
  /// - Throws: as ``places(_:page:size:)``.
  func details(of id: Int) async throws -> [Place]
}

/// The filter and order of a list of places.
public struct PlaceQuery: Hashable, Sendable {
  public var bounds: Bounds
  public var sort: PlaceSort
  /// The point that distances are measured from.
  public var center: Coordinate

  public init(bounds: Bounds, sort: PlaceSort, center: Coordinate) {
    self.bounds = bounds
    self.sort = sort
    self.center = center
  }
}

/// The order of a list of places.
public enum PlaceSort: String, Codable, CaseIterable, Sendable {
  /// Nearest to the center first.
  case distance
  /// Best rated first, unrated last.
  case rating
  /// Alphabetical.
  case name
}
