package import OffstageFoundation
package import OffstageLive
import OffstageSystem
import Showcase

/// Imports the places of a GeoJSON file: all of them, or none if the file is malformed.
///
/// The file may be of any size, because it is read in pieces, and may be compressed with gzip.
/// Features without a place are skipped and counted. Other writers can run between the short
/// transactions.
///
/// A place replaces one of an earlier import if its feature has the same ID in a file of the same
/// name, or the same ID of OpenStreetMap in any file. A feature without an ID is known by its
/// content.
package enum PlaceImport {
  /// Runs the import.
  /// - Parameters:
  ///   - isReplacing: True to remove the places of earlier imports.
  ///   - progress: Receives the fraction of the file read so far, from 0 to 1.
  /// - Throws: `FileError`, or `LoadFailure` if the database fails. Nothing has changed then.
  package static func run(
    _ file: URL, into database: Database, replacing isReplacing: Bool = false,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> PlaceImportReport {
    func failure(_ reason: String) -> FileError {
      FileError(description: "\(file.path): \(reason); nothing was imported")
    }
    // The name of the file without its extensions, such as `trees` for `trees.geojson.gz`.
    let producer = String(file.lastPathComponent.prefix { $0 != "." })
    do {
      return try await PlaceReader.stage(
        try TextFile(file), of: producer, in: .places, database, progress: progress
      ) { staging, report in
        guard report.imported > 0 else {
          throw failure((["no places found"] + report.lines.dropFirst()).joined(separator: "; "))
        }
        return try await staging.commit(keeping: isReplacing ? .builtIn : .all)
      }
    } catch  where error is GeoJSONError || error is TextFileError {
      throw failure("\(error)")
    }
  }

  /// Removes all imported places; those that come with the app stay.
  /// - Returns: The number of places removed.
  package static func removeAll(from database: Database) async throws -> Int {
    try await PlaceStaging.begin(.places, database).commit(keeping: .builtIn)
  }
}

/// The result of an import.
package struct PlaceImportReport: Hashable, Sendable {
  /// The features that were skipped for one reason.
  struct Skipped: Hashable, Sendable {
    let reason: PlaceFeature.Rejection
    var count: Int
    let first: GeoJSONPosition
  }

  package internal(set) var imported = 0
  /// The places of earlier imports that are gone.
  package internal(set) var replaced = 0
  private(set) var skipped: [Skipped] = []

  mutating func skip(_ reason: PlaceFeature.Rejection, at position: GeoJSONPosition) {
    if let index = skipped.firstIndex(where: { $0.reason == reason }) {
      skipped[index].count += 1
    } else {
      skipped.append(Skipped(reason: reason, count: 1, first: position))
    }
  }

  /// One line for the imported places, one for those that they replaced, and one for each reason to
  /// skip a feature.
  package var lines: [String] {
    let places = { (count: Int) in "\(count) \(count == 1 ? "place" : "places")" }
    return ["imported \(places(imported))"]
      + (replaced > 0 ? ["replaced \(places(replaced)) of earlier imports"] : [])
      + skipped.map { "skipped \($0.count): \($0.reason), first at \($0.first)" }
  }
}
