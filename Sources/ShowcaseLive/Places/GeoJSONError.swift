/// Why a text is no GeoJSON FeatureCollection; nothing of it is taken then.
enum GeoJSONError: Error, Hashable {
  case truncated(GeoJSONPosition)
  /// A byte between two features that cannot stand there.
  case unexpected(UInt8, GeoJSONPosition)
  /// What stands around the features is no JSON.
  case notJSON(String)
  case noFeatureCollection
  case twoLists(GeoJSONPosition)
  case frameTooLong
}

extension GeoJSONError: CustomStringConvertible {
  var description: String {
    switch self {
    case .truncated(let position): "it breaks off at \(position)"
    case .unexpected(let byte, let position):
      "'\(Character(Unicode.Scalar(byte)))' cannot stand at \(position)"
    case .notJSON(let detail): "it is no JSON around the features: \(detail), features left out"
    case .noFeatureCollection: "it is no GeoJSON FeatureCollection"
    case .twoLists(let position): "it has a second list of features at \(position)"
    case .frameTooLong: "it has more than \(GeoJSONScanner.longest >> 20) MiB beside its features"
    }
  }
}

extension GeoJSONPosition: CustomStringConvertible {
  var description: String { "line \(line), byte \(offset)" }
}
