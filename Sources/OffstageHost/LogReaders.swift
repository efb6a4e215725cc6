internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The readers of the log, each from its own level on.
struct LogReaders {
  /// The least important lines that the front end gets; nil for none.
  var frontEnd: LogLevel?
  /// The least important lines that are printed on standard error; nil for none.
  var standardError: LogLevel?
  /// Lines that a slow front end has not got.
  fileprivate var dropped = 0

  var isEmpty: Bool { frontEnd == nil && standardError == nil }
}

extension Session {
  /// Writes a line of the log to those who want it.
  func write(_ record: LogRecord) {
    if let level = log.standardError, record.level >= level { StandardStreams.log(record.text) }
    guard let level = log.frontEnd, record.level >= level else { return }
    // The log must not hold up what the app is for.
    guard !output.isBehind else {
      log.dropped += 1
      return
    }
    if log.dropped > 0 {
      notify(LogRecord(level: .warning, message: "\(log.dropped) lines of the log were dropped"))
      log.dropped = 0
    }
    notify(record)
  }

  private func notify(_ record: LogRecord) {
    output.line { $0.notification("log") { record.write(to: &$0) } }
  }

  /// Warns about a turn that has delayed every input.
  func warnOfSlowTurn(_ time: Duration) {
    guard !log.isEmpty else { return }
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let names = core.namesInTurn.isEmpty ? "" : " in " + core.namesInTurn.joined(separator: ", ")
    write(
      LogRecord(
        level: .warning,
        message: "a turn of \(milliseconds) ms\(names) delayed every input; see Effects.offCore"))
  }
}

extension LogRecord {
  /// The line as one JSON object that a terminal shows as it is.
  fileprivate var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    var text = String.UnicodeScalarView()
    for scalar in String(writer.bytes).unicodeScalars {
      guard Console.isUnsafe(scalar) else {
        text.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
    }
    return String(text)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("level")
    writer.string(level.rawValue)
    writer.key("message")
    writer.string(message)
    if !data.isEmpty {
      writer.key("data")
      writer.beginObject()
      for (name, value) in data.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        writer.string(value)
      }
      writer.endObject()
    }
    if let cause {
      writer.fragment(",\"cause\":")
      writer.fragment(cause)
    }
    if let screen {
      writer.key("screen")
      writer.string(screen.description)
    }
    writer.endObject()
  }
}
