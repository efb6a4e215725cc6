import OffstageJSON

/// The ids of places, which are whole numbers that a front end can hold exactly.
///
/// Those below 10,000 are the app's own places; those that a file has as whole numbers are taken as
/// they are; anything else gives an id from 2^52 on that is made from what the feature says, so that
/// the same file twice gives the same places.
enum PlaceID {
  private static let taken = 10_000..<1 << 52

  static func id(of feature: JSONView, _ lat: Double, _ lng: Double, _ name: String) -> Int {
    let properties = feature["properties"]
    for candidate in [feature["id"], properties?["id"], properties?["@id"]] {
      guard let candidate, candidate.kind == .number || candidate.kind == .string else { continue }
      if let number = candidate.int, taken.contains(number) { return number }
      return candidate.withBytes { hash($0) }
    }
    return Array("\(lat) \(lng) \(name)".utf8).withUnsafeBytes { hash($0) }
  }

  /// FNV-1a, of which 52 bits are kept.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return 1 << 52 | Int((hash ^ hash >> 52) & (1 << 52 - 1))
  }
}
