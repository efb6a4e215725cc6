import Foundation
import OffstageJSON
import Showcase

/// Reads places from GeoJSON features.
///
/// Understands the members of OpenStreetMap's exports and of files from Natural Earth and the USGS.
/// Member names are not case-sensitive.
struct PlaceFeature {
  /// A place and the GeoJSON properties that came with it.
  struct Result: Codable, Sendable {
    var place: Place
    /// The JSON object as it was in the file; nil if there was none.
    var properties: String?
    /// False if the ID was derived from the content.
    var hasOwnID: Bool
    /// The ID in the source; nil if there is none, or if it is also the place's ID.
    var sourceID: String?

    /// The place with its properties for display. The members of a nested object are properties of
    /// their own, such as `contact:phone`, and a value that cannot be shown is left out.
    var details: PlaceDetails {
      guard let properties, let text = try? JSONText(properties) else { return PlaceDetails(place) }
      return text.withRoot { root in
        var names: Set<String> = []
        return PlaceDetails(
          place, properties: Self.properties(of: root).filter { names.insert($0.id).inserted })
      }
    }

    private static func properties(of object: JSONView, in prefix: String = "") -> [PlaceProperty] {
      object.members.flatMap { key, value -> [PlaceProperty] in
        let name = prefix + (key.string ?? "")
        if value.isObject { return properties(of: value, in: name + ":") }
        let texts = value.isArray ? value.elements.map(text) : [text(of: value)]
        guard !texts.isEmpty, !texts.contains(nil) else { return [] }
        return [PlaceProperty(name: name, value: texts.compactMap(\.self).joined(separator: ", "))]
      }
    }

    /// Returns the text of a scalar; nil for null, a list, or an object.
    private static func text(of value: JSONView) -> String? {
      if value.isNull || value.isArray || value.isObject { return nil }
      return value.string ?? value.withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The reason to skip a feature.
  enum Rejection: Error, Hashable {
    case tooLong, notJSON, notFeature, noCoordinates, outOfRange, repeatedID, repeatedContent
    case unknownGeometry(String)
  }

  /// The media types to request from a server.
  static let mediaTypes = "application/geo+json, application/json"

  /// The integers that are used as IDs unchanged.
  private let ids: Range<Int>
  /// Reused, so that its memory is allocated once.
  private let text = JSONText()

  init(ids: Range<Int> = PlaceID.imported) { self.ids = ids }

  /// - Throws: `Rejection`.
  func read(_ feature: UnsafeRawBufferPointer?) throws(Rejection) -> Result {
    guard let feature else { throw .tooLong }
    do { try text.read(feature) } catch { throw .notJSON }
    return try text.withRoot { root throws(Rejection) in try read(root) }
  }

  func read(_ root: JSONView) throws(Rejection) -> Result {
    guard root["type"]?.equals("Feature") == true else { throw .notFeature }
    let point = try point(of: root)
    let properties = PlaceProperties(root["properties"])
    let ownID = PlaceID.own(root, properties, ids)
    let id = ownID?.id ?? root.withBytes { PlaceID.hash($0) }
    let place = Place(
      id: id, name: properties.name ?? properties.unnamed, localName: properties.localName,
      region: properties.region, category: properties.category ?? "other", lat: point.lat,
      lng: point.lng,
      rating: properties.rating)
    return Result(
      place: place, properties: properties.json, hasOwnID: ownID != nil, sourceID: ownID?.source)
  }

  private func point(of feature: JSONView) throws(Rejection) -> Coordinate {
    guard let geometry = feature["geometry"], let type = geometry["type"]?.string else {
      throw .noCoordinates
    }
    guard RepresentativePoint.types.contains(type) else { throw .unknownGeometry(type) }
    guard let point = RepresentativePoint.point(on: geometry) else { throw .noCoordinates }
    guard abs(point.y) <= 90, abs(point.x) <= 180 else { throw .outOfRange }
    return Coordinate(lat: point.y, lng: point.x)
  }
}

extension PlaceFeature.Rejection: CustomStringConvertible {
  var description: String {
    switch self {
    case .tooLong: "longer than \(GeoJSONScanner.longest >> 20) MiB"
    case .notJSON: "invalid JSON"
    case .notFeature: "not a Feature"
    case .noCoordinates: "no coordinates"
    case .outOfRange: "coordinates out of range (expected WGS 84 degrees)"
    case .unknownGeometry(let type): "unknown geometry type \"\(type.prefix(40))\""
    case .repeatedID: "same ID as an earlier feature"
    case .repeatedContent: "identical to an earlier feature without an ID"
    }
  }
}

/// The IDs of places: integers that front ends hold exactly.
///
/// IDs below 10,000 are for the app's own places. A file's integers from there on are used
/// unchanged. Anything else is hashed to an ID from 2^52 on, so that importing a file twice gives
/// the same IDs.
enum PlaceID {
  /// The IDs of places other than the app's own.
  static let imported = 10_000..<1 << 52
  /// The IDs of a server that has all places.
  static let served = 0..<1 << 52

  /// Returns the ID in the feature or its properties, and its spelling if it had to be hashed; nil
  /// if there is none.
  fileprivate static func own(
    _ feature: JSONView, _ properties: PlaceProperties, _ usable: Range<Int>
  ) -> (id: Int, source: String?)? {
    for candidate in [feature["id"], properties["id"], properties["@id"]] {
      guard let candidate, candidate.kind == .number || candidate.kind == .string else { continue }
      if let number = candidate.int, usable.contains(number) { return (number, nil) }
      return candidate.withBytes { bytes in
        (hash(bytes), candidate.string ?? String(decoding: bytes, as: UTF8.self))
      }
    }
    return nil
  }

  /// Returns an FNV-1a hash, folded to 52 bits.
  fileprivate static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    let hash = bytes.fnv1a
    return 1 << 52 | Int((hash ^ hash >> 52) & (1 << 52 - 1))
  }
}

/// The `properties` of a feature, by lowercase name.
private struct PlaceProperties {
  /// The JSON text; nil if the feature has no properties.
  let json: String?
  private var members: [String: JSONView] = [:]

  init(_ view: JSONView?) {
    guard let view, view.kind == .object else {
      json = nil
      return
    }
    json = view.count > 0 ? view.withBytes { String(decoding: $0, as: UTF8.self) } : nil
    for (key, value) in view.members {
      guard let name = key.string?.lowercased(), members[name] == nil else { continue }
      members[name] = value
    }
  }

  subscript(name: String) -> JSONView? { members[name] }

  var name: String? {
    text(["name:en", "name_en", "int_name", "name", "title", "label", "name_long", "nameascii"])
      ?? anyLanguage ?? text(["brand", "operator", "addr:housename"])
  }

  var localName: String? {
    let name = name
    for candidate in ["localname", "local_name", "name:local", "name", "name:ko", "name_ko"] {
      if let text = text([candidate]), text != name { return text }
    }
    return nil
  }

  /// A name in another language. The choice is always the same.
  private var anyLanguage: String? {
    text(members.keys.filter { $0.hasPrefix("name:") || $0.hasPrefix("name_") }.sorted())
  }

  /// The first two known of the city or county, the state, the country, and the region.
  var region: String? {
    let parts = [
      text(["addr:city", "is_in:city", "city", "municipality", "county"]),
      text(["addr:state", "addr:province", "is_in:state", "adm1name", "state", "province"]),
      text(["addr:country", "is_in:country", "adm0name", "sov0name", "country", "admin"]),
      text(["region", "is_in"]),
    ]
    let name = name
    let region = parts.compactMap(\.self).filter { $0 != name }.prefix(2)
    return region.isEmpty ? nil : region.joined(separator: ", ")
  }

  /// The keys of OpenStreetMap's features, then those of other files.
  private static let categoryKeys = [
    "category", "tourism", "amenity", "shop", "historic", "leisure", "railway", "natural", "place",
    "featurecla", "fclass", "aeroway", "public_transport", "office", "craft", "sport", "man_made",
    "waterway", "highway", "building", "landuse", "boundary", "class", "kind", "type",
  ]

  var category: String? {
    for key in Self.categoryKeys {
      guard let value = text([key]), Self.isTag(value) else { continue }
      return value == "yes" ? key : value
    }
    return nil
  }

  /// Returns true for up to three words, false for a description such as "10km SSW of Idyllwild,
  /// CA".
  private static func isTag(_ text: String) -> Bool {
    text != "no" && text.utf8.count <= 40 && !text.contains { $0 == "," || $0 == ";" }
      && text.first?.isLetter == true && text.split(separator: " ").count <= 3
  }

  /// The name of a place without one: its category, such as "Drinking water".
  var unnamed: String {
    guard let category else { return "Unnamed" }
    let words = category.replacing("_", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  var rating: Double? {
    self["rating"]?.double.flatMap { (0...5).contains($0) ? $0 : nil }
  }

  /// Returns the first of these members that is a string with visible characters.
  private func text(_ names: [String]) -> String? {
    for name in names {
      if let text = members[name]?.string?.normalizedName, !text.isEmpty { return text }
    }
    return nil
  }
}

extension String {
  /// The display form of a name: composed (NFC), trimmed, and without NUL.
  var normalizedName: String {
    String(unicodeScalars.filter { $0 != "\0" })
      .trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
  }
}
