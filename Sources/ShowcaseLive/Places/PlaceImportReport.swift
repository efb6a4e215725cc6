/// What came of an import.
public struct PlaceImportReport: Hashable, Sendable {
  /// Features that were passed over for the same reason.
  struct Skipped: Hashable, Sendable {
    let reason: String
    var count: Int
    /// Where the first of them begins.
    let first: GeoJSONPosition
  }

  public internal(set) var imported = 0
  /// In the order of the first of each.
  private(set) var skipped: [Skipped] = []

  /// More reasons than that are counted together: a file may name any number of strange types.
  private static let mostReasons = 20

  mutating func skip(_ refusal: PlaceFeature.Refusal, at position: GeoJSONPosition) {
    let isKnown = skipped.contains { $0.reason == refusal.description }
    let hasRoom = skipped.count < Self.mostReasons
    let reason = isKnown || hasRoom ? refusal.description : "for other reasons"
    if let index = skipped.firstIndex(where: { $0.reason == reason }) {
      skipped[index].count += 1
    } else {
      skipped.append(Skipped(reason: reason, count: 1, first: position))
    }
  }

  /// A line on what was imported, and one for each reason to pass something over.
  public var lines: [String] {
    ["Imported \(imported) \(imported == 1 ? "place" : "places")."]
      + skipped.map { "Skipped \($0.count): \($0.reason); the first at \($0.first)." }
  }
}
