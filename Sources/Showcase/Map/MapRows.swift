import Offstage
import OffstageWords

/// A place in the sheet.
struct PlaceRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: Int
  /// The name in the user's language, if known.
  let name: String
  /// The name in another language, if known.
  let localName: String?
  /// From 0 to 5; nil if unrated.
  let rating: Double?
  /// The id of its section.
  let section: String

  init(_ place: Place, _ format: Format) {
    id = place.id
    name = format.words.placeName(place, format)
    localName = format.words.otherPlaceName(place)
    rating = place.rating
    section = place.category
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.localName: .subtitle, \.rating: .accessory]
  }
}

/// The details of the open place, in addition to its row in the sheet.
struct PlaceInfo: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: Int
  /// All properties of the place, in the order of its source.
  let properties: [PlacePropertyRow]
  /// Meters from the user; nil if the user's location is unknown.
  let distance: Int?
  /// For example, `1.2 km`.
  let distanceText: String?
  /// The direction from the user; nil if the user's location is unknown.
  let direction: CompassPoint?
  /// The direction in the user's language.
  let directionText: String?
  let isStale: Bool
  /// The time at which stale details were loaded, in seconds since 1970.
  let staleSince: Int?

  init(_ details: PlaceDetails, _ way: Way?, staleSince: Duration?, _ format: Format) {
    id = details.place.id
    properties = details.properties.rows(format.words)
    distance = way?.distance
    distanceText = way.map { format.distance(meters: $0.distance) }
    direction = way?.direction
    directionText = way?.direction.map(format.words.direction)
    isStale = staleSince != nil
    self.staleSince = staleSince.map { Int($0.components.seconds) }
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [
      \.distance: [.unit("m"), .hidden], \.direction: .hidden, \.isStale: .hidden,
      \.staleSince: .unixTime,
    ]
  }
}

/// A category of places. Sections are ordered by their first place.
struct PlaceSection: Identifiable, Codable, Hashable, Sendable {
  /// The category, as the data spells it.
  let id: String
  /// The category in words, such as `Train station` for `train_station`.
  let title: String

  /// Creates the section of a place.
  init(_ place: Place, _ format: Format) {
    id = place.category
    title = format.words.placeCategory(place.category)
  }
}

/// A pin on the map.
struct PlaceMarker: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  let title: String
  let lat: Double
  let lng: Double

  init(_ place: Place, _ format: Format) {
    id = place.id
    title = format.words.placeName(place, format)
    lat = place.lat
    lng = place.lng
  }
}

/// The places of a cell of the map that have no pins of their own.
struct PlaceCluster: Identifiable, Codable, Hashable, Sendable {
  /// The same wherever the map is.
  let id: String
  let count: Int
  /// For example, `12,345`.
  let text: String
  let lat: Double
  let lng: Double

  /// - Parameter pins: The number of places with pins in the cell.
  init(_ cell: PlaceCell, degrees: Double, pins: Int) {
    id = "\(degrees)/\(cell.row)/\(cell.column)"
    count = cell.count - pins
    text = count.grouped
    lat = cell.middle.lat
    lng = cell.middle.lng
  }
}

/// A drawing of the ground, for front ends without a map of their own.
package enum GroundResource {
  /// The start of the path of a drawing; the language follows.
  package static let folder = "ground/"

  static func uri(in words: Words) -> String { "resource:\(folder)\(words.code)" }
}

/// The height of the sheet over the map. The sheet belongs to the map and is not on a stack.
enum SheetDetent: String, Codable, CaseIterable, Sendable {
  case tip, half, full
}

/// A property of a place as the screen shows it.
struct PlacePropertyRow: Identifiable, Codable, Hashable, Sendable {
  /// The name in the place's source.
  let id: String
  /// The name in the user's language.
  let title: String
  let value: String

  init(_ id: String, _ value: String, _ words: Words) {
    self.id = id
    title = words.placeProperty(id)
    self.value =
      switch (id, value) {
      case ("category", _): words.placeCategory(value)
      case ("opening_hours", _): words.openingHours.words(for: value)
      case (_, "yes"), (_, "true"): words.yes
      case (_, "no"), (_, "false"): words.no
      default: Self.measure(value, words) ?? value
      }
  }

  /// Formats a number of meters, such as `1950 m`. Returns nil for any other value.
  private static func measure(_ value: String, _ words: Words) -> String? {
    guard value.hasSuffix(" m"), let meters = Int(value.dropLast(2)) else { return nil }
    return words.measure(meters.grouped, "m")
  }
}

extension [PlaceProperty] {
  /// Returns the properties in the user's language: in Korean, `address:ko` replaces `address`.
  /// Translations into the app's other languages are left out.
  func rows(_ words: Words) -> [PlacePropertyRow] {
    let values = Dictionary(map { ($0.id, $0.value) }) { first, _ in first }
    return compactMap { property in
      let isTranslation = Languages.supported.map { ":\($0)" }.contains {
        property.id.hasSuffix($0) && values[String(property.id.dropLast($0.count))] != nil
      }
      if isTranslation { return nil }
      return PlacePropertyRow(
        property.id, values["\(property.id):\(words.code)"] ?? property.value, words)
    }
  }
}

extension Sequence where Element: Identifiable {
  /// The first element with each id.
  var withoutRepeats: [Element] {
    var seen: Set<Element.ID> = []
    return filter { seen.insert($0.id).inserted }
  }
}
