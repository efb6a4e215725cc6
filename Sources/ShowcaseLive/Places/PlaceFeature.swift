import Offstage
import OffstageFoundation
import OffstageJSON
import Showcase

/// Reads places from GeoJSON features.
///
/// Understands the members of OpenStreetMap's exports and of files from Natural Earth, the USGS, and
/// the authorities of Korea. Member names are not case-sensitive.
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
    case tooLong, notJSON, notFeature, noCoordinates, outOfRange, unknownGeometry, repeatedID
    case repeatedContent
  }

  /// The media types to request from a server.
  static let mediaTypes = "application/geo+json, application/json"

  /// Reused, so that its memory is allocated once.
  private let text = JSONText()
  /// The producer of the file; nil for the only source of its places.
  private let producer: String?

  init(producer: String? = nil) { self.producer = producer }

  func read(_ feature: UnsafeRawBufferPointer?) throws(Rejection) -> Result {
    guard let feature else { throw .tooLong }
    do { try text.read(feature) } catch { throw .notJSON }
    return try text.withRoot { root throws(Rejection) in try read(root) }
  }

  func read(_ root: JSONView) throws(Rejection) -> Result {
    guard root["type"]?.equals("Feature") == true else { throw .notFeature }
    let point = try point(of: root)
    let properties = PlaceProperties(root["properties"])
    let ownID = PlaceID.Own(root, properties)
    let id = ownID?.id(of: producer) ?? root.withBytes { PlaceID.hash($0) }
    // The texts of a feature of OpenStreetMap are tags.
    let label = ownID?.isOpenStreetMap == true ? nil : properties.firstText ?? ownID?.readable
    let place = Place(
      id: id, name: properties.name ?? label ?? "", localName: properties.localName,
      region: properties.region, category: properties.category ?? "other", lat: point.lat,
      lng: point.lng, rating: properties.rating)
    return Result(
      place: place, properties: properties.json, hasOwnID: ownID != nil,
      sourceID: ownID.flatMap { id == $0.number ? nil : $0.text })
  }

  private func point(of feature: JSONView) throws(Rejection) -> Coordinate {
    guard let geometry = feature["geometry"], let type = geometry["type"]?.string else {
      throw .noCoordinates
    }
    guard RepresentativePoint.types.contains(type) else { throw .unknownGeometry }
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
    case .unknownGeometry: "unknown geometry type"
    case .repeatedID: "same ID as an earlier feature"
    case .repeatedContent: "identical to an earlier feature without an ID"
    }
  }
}

/// The IDs of places: integers that front ends hold exactly.
///
/// IDs below 10,000 are for the app's own places. The only source of places, such as a server, has
/// its integers unchanged. Any other ID is hashed to one from 2^52 on, so that importing a file
/// twice gives the same IDs.
enum PlaceID {
  /// The ID that a feature states.
  fileprivate struct Own {
    let text: String
    /// nil for an ID that has to be hashed.
    let number: Int?
    private let hash: Int

    /// Reads the feature's `id` or its property `@id`; nil without either. Any other property may
    /// repeat.
    init?(_ feature: JSONView, _ properties: PlaceProperties) {
      guard
        let view = [feature["id"], properties["@id"]].lazy.compactMap(\.self)
          .first(where: { $0.kind == .number || $0.kind == .string })
      else { return nil }
      let id = view.string ?? view.withBytes { String(decoding: $0, as: UTF8.self) }
      // Osmium numbers nodes and ways separately.
      text = feature["id"] == nil ? properties["@type"]?.string.map { "\($0)/\(id)" } ?? id : id
      number = view.int.flatMap { (0..<1 << 52).contains($0) ? $0 : nil }
      hash = view.withBytes { PlaceID.hash($0) }
    }

    /// True for an ID such as `node/123`, which is the same in every file.
    var isOpenStreetMap: Bool {
      ["node/", "way/", "relation/"].contains { prefix in
        let number = text.utf8.dropFirst(prefix.utf8.count)
        return text.hasPrefix(prefix) && !number.isEmpty
          && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
    }

    /// The ID if it has letters.
    var readable: String? { text.contains(where: \.isLetter) ? text.normalizedName : nil }

    /// - Parameter producer: Separates the IDs of different files; nil for the only source.
    func id(of producer: String?) -> Int {
      guard let producer else { return number ?? hash }
      var key = isOpenStreetMap ? text : "\(producer)\n\(text)"
      return key.withUTF8 { PlaceID.hash(UnsafeRawBufferPointer($0)) }
    }
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
  /// The keys of `members` in the order of the file.
  private var order: [String] = []

  init(_ view: JSONView?) {
    guard let view, view.kind == .object else {
      json = nil
      return
    }
    json = view.count > 0 ? view.withBytes { String(decoding: $0, as: UTF8.self) } : nil
    for (key, value) in view.members {
      guard let name = key.string?.lowercased(), members[name] == nil else { continue }
      members[name] = value
      order.append(name)
    }
  }

  subscript(name: String) -> JSONView? { members[name] }

  /// The name in English if there is one, or else in any language.
  var name: String? {
    text([
      "name:en", "name_en", "name_eng", "emd_eng_nm", "sig_eng_nm", "*_eng_nm", "int_name", "name",
      "title", "label", "name_long", "nameascii", "name:*", "name_*", "emd_kor_nm", "sig_kor_nm",
      "*_kor_nm", "brand", "operator", "addr:housename",
    ])
  }

  var localName: String? {
    let name = name
    let keys = [
      "localname", "local_name", "name:local", "name", "name:ko", "name_ko", "name_kor",
      "emd_kor_nm", "sig_kor_nm", "*_kor_nm",
    ]
    return keys.lazy.compactMap { text([$0]) }.first { $0 != name }
  }

  /// The first property that reads like a name: not a category, a code, or an address of the web.
  var firstText: String? {
    order.lazy.filter { !$0.hasPrefix("@") && !Self.categoryKeys.contains($0) }
      .compactMap { text([$0]) }
      .first { text in
        // The number of a house, but not of a code.
        let start = text.drop(while: \.isNumber)
        return (start.startIndex == text.startIndex || start.first == " ")
          && start.drop(while: \.isWhitespace).first?.isLetter == true
          && text.count <= 80 && !text.contains("://") && !["yes", "no"].contains(text)
      }
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

  var rating: Double? {
    self["rating"]?.double.flatMap { (0...5).contains($0) ? $0 : nil }
  }

  /// Returns the first of these members that is a string with visible characters. An asterisk
  /// stands for any beginning or end.
  private func text(_ keys: [String]) -> String? {
    for key in keys {
      let names =
        if key.hasPrefix("*") {
          order.filter { $0.hasSuffix(key.dropFirst()) }
        } else if key.hasSuffix("*") {
          order.filter { $0.hasPrefix(key.dropLast()) }
        } else {
          [key]
        }
      for name in names {
        if let text = members[name]?.string?.normalizedName, !text.isEmpty { return text }
      }
    }
    return nil
  }
}

extension String {
  /// The display form of a name: composed (NFC), trimmed, and without NUL.
  var normalizedName: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })).trimmed.composed
  }
}
