import Offstage

/// Counts the places that have no pins on the map.
@CoreActor
final class PlaceClusters {
  private let output: Rows<PlaceCluster>
  private let repository: any PlaceRepository
  private let effects = Effects()
  private lazy var counting = effects.task(.latest)

  init(in output: Rows<PlaceCluster>, _ repository: any PlaceRepository) {
    (self.output, self.repository) = (output, repository)
  }

  /// Shows how many places there are within the bounds besides those with pins.
  func show(_ bounds: Bounds, besides pins: [Place]) {
    let degrees = PlaceCell.degrees(for: bounds)
    let pins = Dictionary(grouping: pins) {
      PlaceCell.position(of: $0.coordinate, degrees: degrees)
    }
    counting.run { [self] in
      let cells = try await repository.cells(in: bounds, degrees: degrees).current()
      try Task.checkCancellation()
      let found = cells.map { cell in
        PlaceCluster(
          cell, degrees: degrees, pins: pins[[cell.row, cell.column]]?.count ?? 0)
      }
      output.reset(to: found.filter { $0.count > 0 })
    } catch: { _ in
      // The list says what has failed.
    }
  }

  func clear() {
    counting.cancel()
    output.removeAll()
  }
}
