import Showcase

/// Writes the features of a text into the tables as they come, and keeps account of them.
struct PlaceFeatures {
  private var scanner = GeoJSONScanner()
  private let feature = PlaceFeature()
  private let writer: PlaceWriter
  private var report = PlaceImportReport()

  /// - Parameter connection: in a transaction, which the caller rolls back where this throws.
  init(_ connection: Connection) throws {
    let last: Int? = try connection.row("SELECT ifnull(max(batch), 0) FROM places") { try $0[0] }
    writer = PlaceWriter(connection, batch: (last ?? 0) + 1)
  }

  /// - Throws: `GeoJSONError`, or `SQLError`.
  mutating func take(_ piece: UnsafeRawBufferPointer) throws {
    var report = report
    defer { self.report = report }
    try scanner.scan(piece) { [feature, writer] bytes, position in
      let place: Place
      do throws(PlaceFeature.Refusal) {
        place = try feature.place(bytes)
      } catch {
        return report.skip(error, at: position)
      }
      if try writer.write(place) {
        report.imported += 1
      } else {
        report.skip(.repeatedID, at: position)
      }
    }
  }

  /// - Throws: `GeoJSONError` for a text that is not whole.
  func finish() throws -> PlaceImportReport {
    try scanner.finish()
    return report
  }
}
