import Synchronization

/// Records reported progress.
final class Progress: Sendable {
  private let noted = Mutex<[Double]>([])

  var values: [Double] { noted.withLock { $0 } }

  func note(_ value: Double) { noted.withLock { $0.append(value) } }
}
