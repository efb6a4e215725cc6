package import Foundation
import Showcase

/// Imports the places of a GeoJSON file: all of them, or none if the file is malformed.
///
/// The file is read in pieces, so its size does not matter, and may be compressed with gzip. Features
/// without a place are skipped and counted. Other writers wait milliseconds at most.
package struct PlaceImport: Sendable {
  private let database: Database
  private let file: URL
  private let isReplacing: Bool

  /// - Parameter replacing: true to remove the places of earlier imports.
  package init(_ file: URL, into database: Database, replacing: Bool = false) {
    self.database = database
    self.file = file
    isReplacing = replacing
  }

  /// - Parameter progress: Receives the fraction of the file read so far, from 0 to 1.
  /// - Throws: `PlaceImportError`; `LoadFailure` if the database fails. Nothing has changed then.
  package func run(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> PlaceImportReport {
    do {
      return try await PlaceReader.stage(
        try TextFile(file), in: .places, database, progress: progress
      ) { staging, report in
        guard report.imported > 0 else {
          throw PlaceImportError(
            file, (["no places found"] + report.lines.dropFirst()).joined(separator: "; "))
        }
        try await staging.commit(keeping: isReplacing ? .builtIn : .all)
      }
    } catch  where error is GeoJSONError || error is TextFileError {
      throw PlaceImportError(file, "\(error)")
    }
  }

  /// Removes every imported place; those that come with the app stay.
  /// - Returns: The number of places removed.
  /// - Throws: `LoadFailure`.
  package static func removeAll(from database: Database) async throws -> Int {
    let count: Int? = try await database.read { connection in
      try connection.row("SELECT count(*) FROM places WHERE batch <> 0") { try $0[0] }
    }
    try await PlaceStaging.begin(.places, database).commit(keeping: .builtIn)
    return count ?? 0
  }
}

/// A file that could not be imported. Nothing has changed.
package struct PlaceImportError: Error, Hashable, CustomStringConvertible, Sendable {
  package let description: String

  fileprivate init(_ file: URL, _ detail: String) {
    description = "\(file.path): \(detail); nothing was imported"
  }
}

/// The result of an import.
package struct PlaceImportReport: Hashable, Sendable {
  /// Features skipped for the same reason.
  struct Skipped: Hashable, Sendable {
    let reason: String
    var count: Int
    let first: GeoJSONPosition
  }

  package internal(set) var imported = 0
  private(set) var skipped: [Skipped] = []

  /// Further reasons count as one, since a file may contain any number of unknown types.
  private static let mostReasons = 20

  mutating func skip(_ rejection: PlaceFeature.Rejection, at position: GeoJSONPosition) {
    let isKnown = skipped.contains { $0.reason == rejection.description }
    let hasRoom = skipped.count < Self.mostReasons
    let reason = isKnown || hasRoom ? rejection.description : "other reasons"
    if let index = skipped.firstIndex(where: { $0.reason == reason }) {
      skipped[index].count += 1
    } else {
      skipped.append(Skipped(reason: reason, count: 1, first: position))
    }
  }

  /// One line for the imported places, and one for each reason to skip a feature.
  package var lines: [String] {
    ["imported \(imported) \(imported == 1 ? "place" : "places")"]
      + skipped.map { "skipped \($0.count): \($0.reason), first at \($0.first)" }
  }
}

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
