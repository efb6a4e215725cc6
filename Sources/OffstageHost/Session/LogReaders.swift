internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The readers of the log, each with its own minimum level.
struct LogReaders {
  /// The least important level sent to the front end; nil for none.
  var frontEnd: LogLevel?
  /// The least important level printed on standard error; nil for none.
  var standardError: LogLevel?
  /// The number of lines dropped because the front end is slow.
  fileprivate var dropped = 0

  var isEmpty: Bool { frontEnd == nil && standardError == nil }
}

extension Session {
  /// Writes a line to the readers of its level.
  func write(_ record: LogRecord) {
    if let level = log.standardError, record.level >= level {
      StandardStreams.printError(record.text, timeout: 0)
    }
    guard let level = log.frontEnd, record.level >= level else { return }
    // The log must not hold up the app's frames.
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
    output.line { $0.notification("log") { $0.json(record.json) } }
  }

  /// Warns about a slow turn, which has delayed every input. Without a reader of the log, prints a
  /// warning for a turn that a user must have noticed.
  /// - Parameter line: The line that it handled; nil for a timer or a step of an effect.
  func warnOfSlowTurn(_ time: Duration, handling line: UnsafeRawBufferPointer? = nil) {
    guard !log.isEmpty || time >= .seconds(1) else { return }
    let work = line.map(Self.summary) ?? core.namesInTurn.joined(separator: ", ")
    let message =
      "a turn of \(time.milliseconds) ms\(work.isEmpty ? "" : " in \(work)") delayed every input; "
      + "see Effects.offCore"
    if log.isEmpty { StandardStreams.printError("\(app.name): warning: \(message)", timeout: 0) }
    write(LogRecord(level: .warning, message: message))
  }

  /// Names the request of a line.
  private static func summary(of line: UnsafeRawBufferPointer) -> String {
    guard let json = try? JSONText(Array(line)).withRoot(\.json) else { return "" }
    if let batch = json.array { return "a batch of \(batch.count)" }
    let method = json["method"]?.string ?? ""
    guard method == "input", let name = json["params"]?["name"]?.string,
      let screen = json["params"]?["screen"]?.string
    else { return method }
    return "the input \"\(name)\" of screen \(screen)"
  }
}

extension LogRecord {
  /// The record as JSON text that a terminal shows unchanged.
  fileprivate var text: String {
    // Every unsafe character is in the Basic Multilingual Plane.
    Console.escaped(json.description) { "\\u\(UInt16($0.value).hexadecimal())" }
  }

  var json: JSON {
    var object: JSONObject = ["level": .string(level.rawValue), "message": .string(message)]
    if !data.isEmpty {
      let members = data.sorted { $0.key < $1.key }
      object["data"] = .object(JSONObject(members.map { ($0.key, .string($0.value)) }))
    }
    object["cause"] = cause.flatMap { try? JSON(parsing: $0) }
    object["screen"] = screen.map { .string($0.description) }
    return .object(object)
  }
}
