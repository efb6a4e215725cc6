internal import Offstage
internal import OffstageJSON

extension Session {
  /// Warns about a slow turn, which has delayed every input. Without a reader of the log, prints a
  /// warning for a turn that a user must have noticed.
  /// - Parameter line: The line that it handled; nil for a timer or a step of an effect.
  func warnOfSlowTurn(_ time: Duration, handling line: UnsafeRawBufferPointer? = nil) {
    guard !publisher.log.isEmpty || time >= .seconds(1) else { return }
    let work = line.map(Self.summary) ?? core.namesInTurn.joined(separator: ", ")
    let message =
      "a turn of \(time.milliseconds) ms\(work.isEmpty ? "" : " in \(work)") delayed every input; "
      + "see Effects.offCore"
    if publisher.log.isEmpty {
      StandardStreams.printError("\(app.name): warning: \(message)", timeout: 0)
    }
    publisher.write(LogRecord(level: .warning, message: message))
  }

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
  /// Returns the record as JSON text that a terminal shows unchanged.
  /// - Parameter session: The session that it is from, one of many in the process.
  func text(of session: String?) -> String {
    var json = json
    if let session { json["session"] = .string(session) }
    // Every unsafe character is in the Basic Multilingual Plane.
    return Console.escaped(json.description) { "\\u\(UInt16($0.value).hexadecimal())" }
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
