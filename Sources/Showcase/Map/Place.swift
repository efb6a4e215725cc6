package import Offstage

/// A place on the map, such as a palace or a station.
package struct Place: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  package var id: Int
  /// Empty for a place without a name, such as a tree.
  package var name: String
  /// The name in the local language, if known.
  package var localName: String?
  /// The nearest named place, if this one has no name; not on the wire.
  package var landmark: Landmark?
  /// The city, state, or country around it, such as `Switzerland`, if known.
  package var region: String?
  /// The category, such as `palace`; `other` if unknown.
  package var category: String
  package var lat: Double
  package var lng: Double
  /// From 0 to 5; nil if unrated.
  package var rating: Double?

  private enum CodingKeys: String, CodingKey {
    case id, name, localName, region, category, lat, lng, rating
  }

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

  package static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.localName: .subtitle, \.category: .hidden, \.lat: .hidden, \.lng: .hidden]
  }
}

/// The named place by which a place without a name is known.
package struct Landmark: Hashable, Sendable {
  package var name: String
  /// The name in the local language, if known.
  package var localName: String?
  /// Meters from the place without a name.
  package var distance: Int

  package init(name: String, localName: String? = nil, distance: Int) {
    self.name = name
    self.localName = localName
    self.distance = distance
  }

  /// True if the distance need not be said.
  var isNear: Bool { distance < 100_000 }
}

/// A place with the properties from its source.
package struct PlaceDetails: Codable, Hashable, Sendable {
  package var place: Place
  /// All properties of the place, in the order of its source.
  package var properties: [PlaceProperty]

  package init(_ place: Place, properties: [PlaceProperty] = []) {
    self.place = place
    self.properties = properties
  }
}

/// A property of a place from its source, such as its opening hours.
package struct PlaceProperty: Identifiable, Codable, Hashable, Sendable {
  /// The name, unique among the place's properties.
  package let id: String
  package let value: String

  package init(name: String, value: String) {
    id = name
    self.value = value
  }
}

/// Loads places.
package protocol PlaceRepository: Sendable {
  /// Fetches one page, counted from 0, of the places within some bounds. The order is the same for
  /// every page.
  func places(_ query: PlaceQuery, page: Int, size: Int) -> Fetch<Page<Place>>

  /// Fetches the cells of a grid that have places within some bounds; none if there are few places.
  /// - Parameter degrees: The length of the sides of a cell.
  func cells(in bounds: Bounds, degrees: Double) -> Fetch<[PlaceCell]>

  /// All places, in the order of their names in a language.
  @CoreActor func all(in language: LanguageTag) -> any RowProvider<Place>

  /// Fetches the details of a place, or nil if it does not exist.
  func details(of id: Int) -> Fetch<PlaceDetails?>

  /// Fetches one page, counted from 0, of the places whose name contains a text in either language:
  /// whole names first, then names that start with it, each by distance.
  func places(_ search: PlaceSearchQuery, page: Int, size: Int) -> Fetch<Page<Place>>

  /// Forgets a failure, so that the next request repeats a long download.
  func retry()

  /// Returns the shortest way from one point to another.
  func way(from: Coordinate, to: Coordinate) -> Way
}

extension PlaceRepository {
  package func retry() {}
}

/// A square of a grid over the world, and the places in it.
package struct PlaceCell: Hashable, Sendable {
  /// The number of the square from the South Pole, and from the 180th meridian.
  package var row: Int
  package var column: Int
  package var count: Int
  /// The middle of the places.
  package var middle: Coordinate

  package init(row: Int, column: Int, count: Int, middle: Coordinate) {
    (self.row, self.column, self.count, self.middle) = (row, column, count, middle)
  }

  /// Fewer places within the bounds are reached page by page.
  package static let fewest = 500

  /// Returns the length of the sides of cells, so that up to eight are side by side. It doubles and
  /// halves, so that the cells stay where they are while the map is moved.
  static func degrees(for bounds: Bounds) -> Double {
    var degrees = 64.0
    while degrees * 4 >= bounds.longerSide { degrees /= 2 }
    return degrees
  }

  /// Returns the row and the column of the cell around a point.
  static func position(of point: Coordinate, degrees: Double) -> [Int] {
    [Int((point.lat + 90) / degrees), Int((point.lng + 180) / degrees)]
  }
}

/// The filter and order of a list of places.
package struct PlaceQuery: Codable, Hashable, Sendable {
  package var bounds: Bounds
  package var sort: PlaceSort
  /// The point from which distances are measured.
  package var center: Coordinate
  /// The language of the names to sort by.
  package var language: LanguageTag = "en"
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
