import Foundation

/// Reads places from GeoJSON text and stages them.
struct PlaceReader {
  private var scanner = GeoJSONScanner()
  private let feature = PlaceFeature()
  private var report = PlaceImportReport()

  /// Stages the places of a text, and cleans up if anything fails.
  /// - Parameters:
  ///   - progress: Receives the fraction of the text read so far, from 0 to 1.
  ///   - commit: Makes the staged places visible.
  /// - Throws: `GeoJSONError`, `TextFileError`, what `commit` throws, or as ``PlaceStaging/add(_:)``.
  static func stage(
    _ text: TextFile, in tables: PlaceTables, _ database: Database,
    progress: (Double) -> Void = { _ in },
    commit: (PlaceStaging, PlaceImportReport) async throws -> Void
  ) async throws -> PlaceImportReport {
    let staging = try await PlaceStaging.begin(tables, database)
    do {
      var reader = Self()
      while let piece = try text.next() {
        try await reader.read(piece, into: staging)
        progress(text.progress)
      }
      try reader.scanner.finish()
      try await commit(staging, reader.report)
      return reader.report
    } catch {
      // Report the original error, not one from the cleanup.
      try? await staging.abandon()
      throw error
    }
  }

  private mutating func read(_ piece: Data, into staging: PlaceStaging) async throws {
    // Parsing happens outside the transaction, which keeps it short.
    var found: [(feature: PlaceFeature.Result, position: GeoJSONPosition)] = []
    try piece.withUnsafeBytes { bytes in
      try scanner.scan(bytes) { [feature] bytes, position in
        do throws(PlaceFeature.Rejection) {
          found.append((try feature.read(bytes), position))
        } catch {
          report.skip(error, at: position)
        }
      }
    }
    if found.isEmpty { return }
    for (entry, isNew) in zip(found, try await staging.add(found.map(\.feature))) {
      if isNew {
        report.imported += 1
      } else {
        report.skip(
          entry.feature.hasOwnID ? .repeatedID : .repeatedContent, at: entry.position)
      }
    }
  }
}
