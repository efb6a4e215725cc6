import OffstageSystem
import Synchronization

/// What a command tells the person while it works, on standard error.
public final class Console: Sendable {
  private let isTerminal = isatty(2) == 1
  /// The progress that stands on the last line; empty for none.
  private let progress = Mutex("")

  init() {}

  /// Says something on a line of its own.
  public func say(_ line: String) {
    clear()
    StandardStreams.complain(line)
  }

  /// Shows how far the work has come, in the place of what was shown before. Only a terminal shows
  /// it: nobody wants it in a file.
  /// - Parameter fraction: from 0 to 1.
  public func show(progress fraction: Double) {
    guard isTerminal else { return }
    let done = Int(min(max(fraction, 0), 1) * 40)
    let bar = String(repeating: "#", count: done) + String(repeating: "-", count: 40 - done)
    let text = "[\(bar)] \(Int(min(max(fraction, 0), 1) * 100)) %"
    progress.withLock { shown in
      guard text != shown else { return }
      shown = text
      write("\r" + text)
    }
  }

  /// Takes the progress away.
  func clear() {
    progress.withLock { shown in
      if !shown.isEmpty { write("\r" + String(repeating: " ", count: shown.count) + "\r") }
      shown = ""
    }
  }

  private func write(_ text: String) { Descriptor.writeAll(2, Array(text.utf8)) }
}
