@testable import Offstage

extension Rows {
  /// What the window shows.
  var window: RowWindow? { source?.shown }
}
