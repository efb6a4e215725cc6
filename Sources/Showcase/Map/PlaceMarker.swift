/// A place as a pin on the map.
public struct PlaceMarker: Identifiable, Codable, Hashable, Sendable {
  public let id: Int
  public let title: String
  public let lat: Double
  public let lng: Double

  init(_ place: Place) {
    id = place.id
    title = place.name
    lat = place.lat
    lng = place.lng
  }
}
