public import Foundation
import Showcase

/// Takes the places of a GeoJSON file into the database: all of them, or none where the file is
/// broken.
///
/// The file is read in pieces and never held, so that its size does not matter. Features that are no
/// places are passed over and counted.
public struct PlaceImport: Sendable {
  private let database: Database
  private let file: URL

  public init(_ file: URL, into database: Database) {
    self.file = file
    self.database = database
  }

  /// - Parameter progress: told now and then what part of the file is read, from 0 to 1.
  /// - Throws: `PlaceImportFailure`, or `LoadFailure` when the database fails; then nothing of the
  ///   file is kept.
  public nonisolated(nonsending) func run(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> PlaceImportReport {
    let pieces = try FilePieces(file)
    return try await database.write { [file] connection in
      var features = try PlaceFeatures(connection)
      do {
        while let piece = try pieces.next() {
          try piece.withUnsafeBytes { try features.take($0) }
          progress(pieces.progress)
        }
        return try features.finish()
      } catch let error as GeoJSONError {
        throw PlaceImportFailure(file, "\(error)")
      }
    }
  }
}

/// A file that was not imported: why, and that nothing has changed.
public struct PlaceImportFailure: Error, Hashable, CustomStringConvertible, Sendable {
  public let description: String

  init(_ file: URL, _ detail: String) {
    description = "\(file.path): \(detail). Nothing was imported."
  }
}

/// A file in pieces, read once from its beginning.
private final class FilePieces: @unchecked Sendable {
  private let file: URL
  private let handle: FileHandle
  private let size: Int
  /// Touched within the transaction only.
  private var read = 0

  /// - Throws: `PlaceImportFailure`.
  init(_ file: URL) throws {
    self.file = file
    do { handle = try FileHandle(forReadingFrom: file) } catch {
      throw PlaceImportFailure(file, "it cannot be opened")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    size = attributes?[.size] as? Int ?? 0
  }

  /// - Returns: nil at the end.
  /// - Throws: `PlaceImportFailure`.
  func next() throws -> Data? {
    let piece: Data?
    do { piece = try handle.read(upToCount: 1 << 20) } catch {
      throw PlaceImportFailure(file, "it cannot be read")
    }
    read += piece?.count ?? 0
    return piece?.isEmpty == false ? piece : nil
  }

  /// From 0 to 1.
  var progress: Double { size > 0 ? min(Double(read) / Double(size), 1) : 0 }
}
