import OffstageJSON

/// What stands around the features of a FeatureCollection: its other members, and the brackets.
struct GeoJSONFrame {
  /// The text without the features.
  private var bytes: [UInt8] = []
  private var depth = 0
  private var string = GeoJSONString()
  /// The last string that no colon came before: the name of a member.
  private var name = 0..<0
  private var isAfterColon = false
  private var hasFeatures = false

  /// Whether all brackets are closed.
  var isComplete: Bool { depth == 0 }

  /// Takes the next byte.
  /// - Returns: whether it begins the list of features, whose end is to come next.
  /// - Throws: `GeoJSONError` for a second list of features, and past the limit.
  mutating func take(_ byte: UInt8, at position: GeoJSONPosition) throws(GeoJSONError) -> Bool {
    guard bytes.count < GeoJSONScanner.longest else { throw .frameTooLong }
    bytes.append(byte)
    let wasInString = string.isOpen
    if string.takes(byte) {
      if !wasInString, !isAfterColon { name = bytes.count..<bytes.count }
      if !string.isOpen, !isAfterColon { name = name.lowerBound..<bytes.count - 1 }
      return false
    }
    switch byte {
    case UInt8(ascii: ":"): isAfterColon = true
    case UInt8(ascii: ","): isAfterColon = false
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      let isAfterColon = isAfterColon
      self.isAfterColon = false
      if byte == UInt8(ascii: "["), depth == 1, isAfterColon, isNameOfFeatures {
        guard !hasFeatures else { throw .twoLists(position) }
        hasFeatures = true
        return true
      }
      depth += 1
    default: break
    }
    return false
  }

  /// Takes the bracket behind the last feature.
  mutating func endFeatures() { bytes.append(UInt8(ascii: "]")) }

  /// - Throws: `GeoJSONError` for what is around no features.
  func check() throws(GeoJSONError) {
    let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
    let text: JSONText
    do { text = try JSONText(Array(bytes.dropFirst(hasMark ? 3 : 0))) } catch {
      throw .notJSON("\(error)")
    }
    let isCollection = text.withRoot { $0["type"]?.equals("FeatureCollection") == true }
    guard isCollection, hasFeatures else {
      throw .noFeatureCollection
    }
  }

  private var isNameOfFeatures: Bool { bytes[name].elementsEqual("features".utf8) }
}
