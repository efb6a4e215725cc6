import OffstageJSON

/// Plays the core's side of a transcript to a front end, and compares what the front end sends.
///
/// The front end chooses its own ids, which are translated in responses, causes, and cancellations.
/// Of the params of `initialize`, only those in the transcript are compared, since a name, a
/// version, or a language does not affect the rest. Everything else must match the transcript, in
/// the same order. The core's lines that follow a request are sent as soon as the request has
/// arrived.
package struct TranscriptServer {
  private let transcript: Transcript
  /// The lines of the run that go over the wire.
  private var rest: ArraySlice<Transcript.Entry>
  private let status: Int32
  /// The front end's ids, by those of the transcript.
  private var ids: [JSON: JSON] = [:]
  /// True once the front end has shut the core down.
  package private(set) var isDone = false

  /// - Throws: `TranscriptError` for a transcript with several runs, or with a placeholder in a
  ///   line of the core, which has no value to send.
  package init(_ transcript: Transcript) throws(TranscriptError) {
    let runs = transcript.runs
    guard runs.count == 1, let run = runs.first else {
      throw TranscriptError(
        file: transcript.file, line: runs[1].line,
        problem: "a second run; only a transcript of one run can be served")
    }
    self.transcript = transcript
    status = run.exit.status
    let lines = transcript.entries.filter { $0.isSent || $0.pattern != nil }
    for entry in lines {
      guard let pattern = entry.pattern, PatternString.value(of: pattern) == nil else { continue }
      throw TranscriptError(
        file: transcript.file, line: entry.line, problem: "a placeholder has no value to send")
    }
    rest = lines[...]
  }

  /// Returns the lines that the core sends before the front end does.
  package mutating func start() -> [String] { takeOutput() }

  /// Takes a line from the front end, without its LF, and returns the lines to send now.
  package mutating func receive(_ line: [UInt8]) throws(TranscriptDifference) -> [String] {
    let text = String(decoding: line, as: UTF8.self)
    let found = try? JSON(parsing: text)
    guard case .sent(let bytes)? = rest.first?.kind, let entry = rest.first else {
      return try shutDown(found, text)
    }
    rest.removeFirst()
    let sent = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    guard let expected = try? JSON(parsing: String(decoding: sent, as: UTF8.self)), let found else {
      if sent.elementsEqual(line) { return takeOutput() }
      let pattern = JSON.string(String(decoding: sent, as: UTF8.self))
      throw transcript.difference(entry.line, from: pattern, text, [])
    }
    let pattern = PatternString.escaping(comparable(expected, to: found))
    let match = PatternMatch(pattern, with: found, line: entry.line)
    guard match.holds else {
      throw transcript.difference(entry.line, from: expected, text, match.mismatches)
    }
    defer { isDone = rest.isEmpty && found["method"] == "shutdown" }
    return takeOutput()
  }

  /// Ends the run at the end of the front end's input, and returns the exit status of the core.
  package func end() throws(TranscriptDifference) -> Int32 {
    guard let entry = rest.first else { return status }
    throw transcript.difference(entry.line, "the front end ended before sending this line")
  }

  /// Responds to a final `shutdown`, which is allowed even if the transcript just closes the input.
  private mutating func shutDown(
    _ found: JSON?, _ text: String
  ) throws(TranscriptDifference) -> [String] {
    guard let found, found["method"] == "shutdown", let id = found["id"] else {
      throw transcript.difference(
        transcript.entries.last!.line, unexpected: text, isJSON: found != nil)
    }
    isDone = true
    return [JSON.object(["jsonrpc": "2.0", "id": id, "result": .null]).description]
  }

  // MARK: Ids

  /// Returns the expected line with the front end's ids and its own extra params of `initialize`.
  private mutating func comparable(_ expected: JSON, to found: JSON) -> JSON {
    if case .array(let calls) = expected, case .array(let foundCalls) = found,
      calls.count == foundCalls.count
    {
      return .array(zip(calls, foundCalls).map { comparable($0, to: $1) })
    }
    var call = expected
    if let id = call["id"], let own = found["id"] {
      ids[id] = own
      call["id"] = own
    }
    // A request without params matches one with empty params.
    if call["params"] == nil, found["params"] == [:] { call["params"] = [:] }
    switch call["method"] {
    case "initialize":
      for (name, value) in found["params"]?.object?.members ?? []
      where call["params"]?[name] == nil {
        call["params"]?[name] = value
      }
    case "$/cancelRequest":
      if let id = call["params"]?["id"] { call["params"]?["id"] = ids[id] ?? id }
    default: break
    }
    return call
  }

  private func translated(_ line: JSON) -> JSON {
    if let responses = line.array { return .array(responses.map(translated)) }
    var message = line
    if let id = message["id"] { message["id"] = ids[id] ?? id }
    if let cause = message["params"]?["cause"] {
      message["params"]?["cause"] = ids[cause] ?? cause
    }
    return message
  }

  private mutating func takeOutput() -> [String] {
    var lines: [String] = []
    while let pattern = rest.first?.pattern, let line = PatternString.value(of: pattern) {
      rest.removeFirst()
      lines.append(translated(line).description)
    }
    return lines
  }
}

extension Transcript {
  /// True if every line of the core is there, without placeholders.
  package var isComplete: Bool {
    let hasPlaceholders = entries.contains { entry in
      entry.pattern.map { PatternString.value(of: $0) == nil } ?? false
    }
    return !hasPlaceholders
      && runs.flatMap(\.blocks).allSatisfy { block in
        handshakes(in: block).allSatisfy { handshake in
          block.expected.contains { entries[$0].pattern?["id"] == handshake.id }
        }
      }
  }
}

/// A response of the HTTP server that a transcript's run starts alongside the core:
/// `@ GET /pokemon?limit=20 -> 200 [Retry-After: 3] {"count":1}` or `@ GET /pokemon -> close`.
package struct ScriptedResponse: Equatable, Sendable {
  package var line: Int
  package let method: String
  package let target: String
  /// nil to close the connection.
  package let status: Int?
  /// Headers such as `Location: /elsewhere`.
  package let headers: [String]
  package let body: [UInt8]

  /// The response to a request that no line of the transcript answers.
  package static let notFound = ScriptedResponse(
    line: 0, method: "", target: "", status: 404, headers: [], body: [])
}

extension ScriptedResponse {
  init(_ text: String) throws(TranscriptError.Problem) {
    let words = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    let status = words.count >= 4 ? Int(words[3]) : nil
    guard words.count >= 4, words[1].hasPrefix("/"), words[2] == "->",
      status.map({ (100...599).contains($0) }) ?? (words[3] == "close" && words.count == 4)
    else {
      throw TranscriptError.Problem(
        "expected '@ METHOD TARGET -> STATUS [Name: value] BODY' or '@ METHOD TARGET -> close'")
    }
    var rest = words.count > 4 ? words[4] : ""
    var headers: [String] = []
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      let header = rest[rest.index(after: rest.startIndex)..<end]
      // A JSON array has no colon after its first word.
      guard let colon = header.firstIndex(of: ":"), header.startIndex < colon,
        header[..<colon].utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isLetter })
      else { break }
      headers.append(String(header))
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    self.init(
      line: 0, method: String(words[0]), target: String(words[1]), status: status,
      headers: headers, body: try RawLine.bytes(of: String(rest)))
  }
}
