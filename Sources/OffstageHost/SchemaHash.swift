internal import OffstageJSON

/// A hash of what an app and its protocol take and give, regardless of the app's version and of every
/// text for people: a front end whose types were generated from a description compares it.
enum SchemaHash {
  /// - Returns: 16 hexadecimal digits.
  static func of(_ document: JSON) -> String {
    // FNV-1a: a change by accident is to be noticed, not one with intent.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in withoutTexts(document).description.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return hash.hexadecimal()
  }

  private static let texts: Set = ["title", "description", "placeholder", "summary"]
  private static let left: Set = ["info", "x-titles", "x-schema"]

  private static func withoutTexts(_ json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number, .string: return json
    case .array(let elements): return .array(elements.map(withoutTexts))
    case .object(let object):
      return .object(
        JSONObject(
          object.members.filter { name, value in
            // A property called "title" has a schema, not a string.
            !(texts.contains(name) && value.string != nil) && !left.contains(name)
          }.map { ($0.key, withoutTexts($0.value)) }))
    }
  }
}
