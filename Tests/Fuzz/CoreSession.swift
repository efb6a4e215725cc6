import Foundation
import OffstageJSON
import OffstageSystem
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

  private let child: Child
  private var pending: [UInt8] = []
  private var lastID = 0
  private var replica = Replica()
  /// The id of the session.
  private(set) var session: JSON?

  var document: JSON { replica.document }
  var requestCount: Int { lastID }

  /// The resident memory of the core, such as `54321 kB`; nil without `/proc`.
  var memory: String? {
    let path = "/proc/\(child.id)/status"
    let status = try? String(contentsOfFile: path, encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.dropFirst("VmRSS:".count).trimmingCharacters(in: .whitespaces)
  }

  /// The document of the first frame.
  private(set) var firstDocument = JSON.null

  /// Called after each frame.
  var onFrame: () throws -> Void = {}

  /// - Parameters:
  ///   - arguments: those after `--deterministic`, or all if that is false.
  ///   - capabilities: the kinds of prompts to announce.
  ///   - locale: the user's language.
  ///   - earlier: the session of an earlier process, to go on with; nil for a new one.
  ///   - mayStartAfresh: true if the state of the earlier process may be lost.
  ///   - faults: variables that make calls of the system fail.
  ///   - errors: the file for the standard error; nil for that of this process.
  init(
    _ program: String, arguments: [String], isDeterministic: Bool = true, capabilities: [String],
    locale: String = "en", resuming earlier: CoreSession? = nil,
    mayStartAfresh: Bool = false, faults: [String: String] = [:], errors: String? = nil
  ) throws {
    let command = [program] + (isDeterministic ? ["--deterministic"] : []) + arguments
    // The faults are the program's, and not the shell's.
    let start = errors.map { ["/bin/sh", "-c", #"exec 2>"$0"; exec env "$@""#, $0] } ?? ["env"]
    child = try Child(start + faults.map { "\($0)=\($1)" } + command)
    var params: JSONObject = [
      "protocol": 1, "locale": .string(locale),
      "capabilities": .array(capabilities.map { .string($0) }),
    ]
    if let earlier {
      replica = earlier.replica
      replica.mayStartAfresh = mayStartAfresh
      lastID = earlier.lastID
      params["resume"] = ["session": earlier.session ?? .null, "revision": .int(replica.revision)]
    }
    var outcome = Outcome()
    session = try result(of: "initialize", .object(params), &outcome)["result"]?["session"]
    firstDocument = document
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
    try child.write(pending)
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

  /// Reads one line; false at the end.
  func readLine() throws -> Bool {
    guard let line = try nextLine() else { return false }
    if line["method"] == nil { lastAnswered = line["id"]?.int ?? lastAnswered }
    try replica.take(line)
    return true
  }

  /// The id of the last response that `readLine` has read.
  private(set) var lastAnswered = 0

  /// Kills the process, and reads what it had sent.
  func kill() throws {
    Foundation.kill(child.id, SIGKILL)
    while try readLine() {}
    try child.end()
  }

  private func line() throws -> JSON {
    guard let line = try nextLine() else { throw Failure("the core has ended") }
    return line
  }

  private func nextLine() throws -> JSON? {
    try child.nextLine().map { try JSON(parsing: String(decoding: $0, as: UTF8.self)) }
  }

  /// Closes the input.
  /// - Throws: `Failure` if the program does not exit with 0.
  func end() throws {
    let end = try child.end()
    guard end == .exited(0) else { throw Failure("the core has ended: \(end)") }
  }
}
