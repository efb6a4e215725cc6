/// A place in the sheet.
struct PlaceRow: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  /// The name in the person's language, if known.
  let name: String
  /// The name in another language, if known.
  let localName: String?
  /// From 0 to 5; nil if unrated.
  let rating: Double?
  /// The id of its section.
  let section: String

  init(_ place: Place, _ words: any Words) {
    id = place.id
    name = words.placeName(place)
    localName = words.otherPlaceName(place)
    rating = place.rating
    section = place.category
  }
}

/// A category of places. Sections are ordered by their first place.
struct PlaceSection: Identifiable, Codable, Hashable, Sendable {
  /// The category, as the data spells it.
  let id: String
  /// The category in words: `train_station` becomes `Train station`.
  let title: String

  /// Creates the section of a place.
  init(_ place: Place, _ words: any Words) {
    id = place.category
    title = words.placeCategory(place.category)
  }
}

/// A pin on the map.
struct PlaceMarker: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  let title: String
  let lat: Double
  let lng: Double

  init(_ place: Place, _ words: any Words) {
    id = place.id
    title = words.placeName(place)
    lat = place.lat
    lng = place.lng
  }
}

/// The height of the sheet over the map. The sheet belongs to the map and is on no stack.
enum SheetDetent: String, Codable, CaseIterable, Sendable {
  case tip, half, full
}
