package import Offstage

/// A place on the map, such as a palace or a station.
package struct Place: Identifiable, Codable, Hashable, Sendable {
  package var id: Int
  package var name: String
  /// The name in the local language, if known.
  package var localName: String?
  /// The city, state or country around it, such as `Switzerland`, if known.
  package var region: String?
  /// The category, such as `palace`; `other` if unknown.
  package var category: String
  package var lat: Double
  package var lng: Double
  /// From 0 to 5; nil if unrated.
  package var rating: Double?

  package init(
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

  package var coordinate: Coordinate { Coordinate(lat: lat, lng: lng) }
}

/// Loads the places of the map.
package protocol MapRepository: Sendable {
  /// Returns one page of the places within some bounds. The order is the same for every page.
  /// - Parameters:
  ///   - page: counted from 0.
  ///   - size: the number of places on a page.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was canceled.
  func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place>

  /// Returns the details of a place; empty if the place no longer exists.
  /// - Throws: as ``places(_:page:size:)``.
  func details(of id: Int) async throws -> [Place]
}

/// The filter and order of a list of places.
package struct PlaceQuery: Hashable, Sendable {
  package var bounds: Bounds
  package var sort: PlaceSort
  /// The point that distances are measured from.
  package var center: Coordinate
}

/// The order of a list of places.
package enum PlaceSort: String, Codable, CaseIterable, Sendable {
  /// Nearest to the center first.
  case distance
  /// Best rated first, unrated last.
  case rating
  /// Alphabetical.
  case name
}
