import OffstageJSON
import Showcase

/// Reads a place from a GeoJSON feature.
///
/// The members of `properties` are those that OpenStreetMap's exports have: `name`, `name:en` and
/// `name:ko`, a `category` or a key such as `amenity`, and a `rating`.
struct PlaceFeature {
  /// Why a feature is no place.
  enum Refusal: Error, Hashable {
    case tooLong, notJSON, noFeature, noCoordinates, outOfRange
    case notAPoint(String)
    case repeatedID
  }

  /// Read into again and again, so that its memory is taken once.
  private let text = JSONText()

  /// - Throws: `Refusal`.
  func place(_ feature: UnsafeRawBufferPointer?) throws(Refusal) -> Place {
    guard let feature else { throw .tooLong }
    do { try text.read(feature) } catch { throw .notJSON }
    return try text.withRoot { root throws(Refusal) in try place(root) }
  }

  private func place(_ root: JSONView) throws(Refusal) -> Place {
    guard root["type"]?.equals("Feature") == true else { throw .noFeature }
    let (lat, lng) = try coordinates(of: root)
    let properties = Properties(view: root["properties"])
    let name = properties.text(["name:en", "name", "title", "label"])
    let localName = properties.text(["name:ko", "localName", "local_name", "name"])
    let category = properties.text(["category", "tourism", "amenity", "shop", "leisure", "railway"])
    return Place(
      id: PlaceID.id(of: root, lat, lng, name ?? ""), name: name ?? "Unnamed",
      localName: localName == name ? nil : localName, category: category ?? "other",
      lat: lat, lng: lng, rating: properties.rating)
  }

  private func coordinates(of feature: JSONView) throws(Refusal) -> (lat: Double, lng: Double) {
    guard let geometry = feature["geometry"], let type = geometry["type"]?.string else {
      throw .noCoordinates
    }
    guard type == "Point" else { throw .notAPoint(type) }
    let point = geometry["coordinates"]
    guard let lng = point?[0]?.double, let lat = point?[1]?.double else { throw .noCoordinates }
    guard abs(lat) <= 90, abs(lng) <= 180 else { throw .outOfRange }
    return (lat, lng)
  }

  private struct Properties {
    let view: JSONView?

    /// The first of these members that says something.
    func text(_ names: [String]) -> String? {
      for name in names {
        if let text = view?[name]?.string.map(PlaceName.normalized), !text.isEmpty { return text }
      }
      return nil
    }

    var rating: Double? {
      view?["rating"]?.double.flatMap { (0...5).contains($0) ? $0 : nil }
    }
  }
}

extension PlaceFeature.Refusal: CustomStringConvertible {
  var description: String {
    switch self {
    case .tooLong: "longer than \(GeoJSONScanner.longest >> 20) MiB"
    case .notJSON: "not JSON"
    case .noFeature: "not of the type Feature"
    case .noCoordinates: "without the coordinates of a point"
    case .outOfRange: "coordinates that are not on the earth"
    case .notAPoint(let type): "of the type \(type.prefix(40)), not Point"
    case .repeatedID: "with an id that came before"
    }
  }
}
