import OffstageJSON
import OffstageSystem
import Synchronization

/// Standard error, for the messages of a command.
public final class Console: Sendable {
  private let isTerminal = isatty(2) == 1
  /// The progress bar on the last line; empty if none is shown.
  private let progress = Mutex("")

  init() {}

  /// Prints one line, with unsafe characters escaped: see ``escaped(_:)``.
  public func print(_ line: String) {
    clear()
    StandardStreams.printError(line, timeout: -1)
  }

  /// Shows a progress bar in place of the previous one, but only on a terminal.
  /// - Parameter fraction: From 0 to 1.
  public func show(progress fraction: Double) {
    guard isTerminal else { return }
    let fraction = min(max(fraction, 0), 1)
    let done = Int(fraction * 40)
    let bar = String(repeating: "#", count: done) + String(repeating: "-", count: 40 - done)
    let text = "[\(bar)] \(Int(fraction * 100)) %"
    progress.withLock { shown in
      guard text != shown else { return }
      shown = text
      Descriptor.writeAll(2, Array("\r\(text)".utf8))
    }
  }

  func clear() {
    progress.withLock { shown in
      guard !shown.isEmpty else { return }
      let blank = String(repeating: " ", count: shown.count)
      Descriptor.writeAll(2, Array("\r\(blank)\r".utf8))
      shown = ""
    }
  }

  /// Escapes text so that a terminal shows it on one line and does not interpret it.
  ///
  /// Control characters (line breaks, escape sequences, the C1 range), line and paragraph
  /// separators, and characters that change the direction of text become visible escapes such as
  /// `\x1B` and `\u{202E}`. Everything else stays as it is.
  public static func escaped(_ text: String) -> String {
    escaped(text) { scalar in
      scalar.value < 0x100
        ? "\\x" + UInt8(scalar.value).hexadecimal(uppercase: true)
        : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  static func escaped(_ text: String, as escape: (Unicode.Scalar) -> String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += isUnsafe($1) ? escape($1) : String($1) }
  }

  /// Returns true for a character that a terminal interprets or that ends a line.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
