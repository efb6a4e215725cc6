import Foundation
import OffstageJSON
import TestSupport

/// A running core, and a front end's copy of its document.
final class CoreSession {
  /// The core's output since the last step.
  struct Outcome {
    var frames = 0
    var errors: [JSON] = []
    /// Bugs of the app: internal errors and `error` notifications.
    var faults: [JSON] = []

    static func += (outcome: inout Outcome, later: Outcome) {
      outcome.frames += later.frames
      outcome.errors += later.errors
      outcome.faults += later.faults
    }
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var lines = LineBuffer()
  private var pending: [UInt8] = []
  private var lastID = 0
  private var replica = Replica()

  var document: JSON { replica.document }
  var requestCount: Int { lastID }

  /// The resident memory of the core, such as `54321 kB`; nil without `/proc`.
  var memory: String? {
    let path = "/proc/\(process.processIdentifier)/status"
    let status = try? String(contentsOfFile: path, encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.dropFirst("VmRSS:".count).trimmingCharacters(in: .whitespaces)
  }

  /// Called after each frame.
  var onFrame: () throws -> Void = {}

  /// - Parameters:
  ///   - arguments: those after `--deterministic`, or all if that is false.
  ///   - capabilities: the kinds of prompts to announce.
  ///   - locale: the user's language.
  init(
    _ program: String, arguments: [String], isDeterministic: Bool = true, capabilities: [String],
    locale: String = "en"
  ) throws {
    process.executableURL = URL(filePath: program)
    process.arguments = (isDeterministic ? ["--deterministic"] : []) + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    send(
      "initialize",
      [
        "protocol": 1, "locale": .string(locale),
        "capabilities": .array(capabilities.map { .string($0) }),
      ])
    _ = try settle()
  }

  /// Adds a request for `settle` to send.
  func send(_ method: String, _ params: JSON = [:]) {
    lastID += 1
    let id = JSON.number(JSONNumber(lastID))
    let request: JSON = ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
    pending += Array("\(request)\n".utf8)
  }

  /// Sends the requests and reads until the core has settled.
  func settle() throws -> Outcome {
    var outcome = Outcome()
    _ = try result(of: "state/settle", [:], &outcome)
    return outcome
  }

  /// Sends the added requests and one more.
  /// - Returns: the response to the last request.
  func result(of method: String, _ params: JSON, _ outcome: inout Outcome) throws -> JSON {
    send(method, params)
    try flush()
    return try response(&outcome)
  }

  /// Sends the added requests.
  func flush() throws {
    try input.fileHandleForWriting.write(contentsOf: Data(pending))
    pending = []
  }

  /// Reads until the response to the last request.
  func response(_ outcome: inout Outcome) throws -> JSON {
    while true {
      let message = try line()
      switch message["method"]?.string {
      case "error": outcome.faults.append(message)
      case .some:
        outcome.frames += 1
        try replica.take(message)
        try onFrame()
      case nil:
        if let error = message["error"] {
          outcome.errors.append(error)
          if error["code"]?.int == -32603 { outcome.faults.append(message) }
        }
        if message["id"]?.int == lastID { return message }
      }
    }
  }

  private func line() throws -> JSON {
    while true {
      if let line = lines.next() {
        return try JSON(parsing: String(decoding: line, as: UTF8.self))
      }
      guard lines.fill(from: output.fileHandleForReading.fileDescriptor) > 0 else {
        throw Failure("the core has ended")
      }
    }
  }

  /// Closes the input.
  /// - Throws: `Failure` if the program does not exit with 0.
  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("the core exited with \(process.terminationStatus)")
    }
  }
}
