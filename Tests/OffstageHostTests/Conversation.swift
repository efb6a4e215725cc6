import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// A front end and a core in one process: sends lines, reads the output, and applies it.
@CoreActor
final class Conversation {
  let session: Session
  private let input: SessionInput
  private(set) var replica = Replica()
  /// The number of snapshots compared with the front end's copy.
  private(set) var snapshotCount = 0

  /// - Parameter hello: the first line; nil to send none.
  init(
    _ arguments: [String] = ["--deterministic"], in program: Program = Desk.program,
    hello: String? = call(0, "state/settle")
  ) async throws {
    session = try program.makeSession(arguments)
    input = SessionInput(session)
    if let hello {
      put(hello)
      await turn()
      _ = pull()
    }
  }

  /// The prompts in the front end's copy.
  var prompts: [String] { replica.document["prompts"]?.object?.members.map(\.key) ?? [] }

  /// The navigation in the front end's copy, as `a* 1 3|b 2|p1 4|m1 5`.
  var shape: String {
    let navigation = replica.document["navigation"]
    let root = navigation?["root"]
    let tabs = (root?["tabs"]?.array ?? []).map { tab in
      let isSelected = tab["id"] == root?["selected"]
      return "\(tab["id"]?.string ?? "?")\(isSelected ? "*" : "") \(Self.list(tab["screens"]))"
    }
    let presented = (navigation?["presented"]?.array ?? []).map {
      "\($0["id"]?.string ?? "?") \(Self.list($0["screens"]))"
    }
    let modals = (navigation?["modals"]?.array ?? []).map {
      "\($0["id"]?.string ?? "?") \($0["screen"]?.string ?? "?")"
    }
    return (tabs + presented + modals).joined(separator: "|")
  }

  private static func list(_ screens: JSON?) -> String {
    (screens?.array ?? []).compactMap(\.string).joined(separator: " ")
  }

  /// Compares the front end's copy with a snapshot.
  func checkReplica(sourceLocation: SourceLocation = #_sourceLocation) async {
    let count = snapshotCount
    _ = await send(call(-1, "state/snapshot"))
    #expect(snapshotCount > count, sourceLocation: sourceLocation)
  }

  // MARK: Talking

  /// Sends lines, each after the work of the previous one, and reads the output.
  func send(_ lines: String...) async -> [String] { await send(lines) }

  func send(_ lines: [String]) async -> [String] {
    for line in lines {
      put(line)
      await turn()
    }
    return pull()
  }

  /// Sends lines without running work in between and without reading.
  func put(_ lines: String...) { for line in lines { put(Array(line.utf8)) } }

  func put(_ bytes: [UInt8]) {
    input.append(bytes + [0x0A])
    while input.handleNext() {}
  }

  /// Runs all work that is due.
  func turn() async {
    repeat { await Task.yield() } while CoreActor.executor.hasJob
    session.checkRest()
  }

  /// Reads all output, so that a core that was held back sends the rest.
  func pull() -> [String] {
    var lines = session.takeOutput()
    session.publisher.publish()
    lines += session.takeOutput()
    return lines.map { read($0) }
  }

  /// Sends lines and compares the output in the short form of `Line`.
  func check(
    _ sent: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let found = await send(sent)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  private func read(_ line: String) -> String {
    guard let json = try? JSON(parsing: line) else {
      Issue.record("no JSON: \(line)")
      return line
    }
    for message in json.array ?? [json] {
      do { try replica.take(message) } catch { Issue.record(error) }
      if let result = message["result"], let state = result["state"] {
        snapshotCount += 1
        let isSame = state == replica.document && result["revision"]?.int == replica.revision
        #expect(isSame, "a snapshot is what the frames before it have made")
      }
    }
    return Line.short(json)
  }
}

/// A short form of lines, for tables.
enum Line {
  /// - `frame 2 by 7 [{…patch…}] push 3 told 1`
  /// - `7: {"revision":2}`
  /// - `7: error 1001 {"screen":"9"}`, without the message
  /// - `error -32602`
  static func short(_ json: JSON) -> String {
    if let batch = json.array { return "[" + batch.map { short($0) }.joined(separator: ", ") + "]" }
    let params = json["params"] ?? .null
    if json["method"] == "frame" { return frame(params) }
    if json["method"] == "error" { return error(params) }
    let id = json["id"]?.description ?? "?"
    return "\(id): " + (json["error"].map { error($0) } ?? json["result"]?.description ?? "?")
  }

  private static func frame(_ params: JSON) -> String {
    var parts = ["frame", text(params["revision"])]
    if let cause = params["cause"] { parts.append("by \(text(cause))") }
    if let patch = params["patch"] { parts.append(isWhole(patch) ? "whole" : text(patch)) }
    if let schema = params["schema"] { parts.append("schema \(schema)") }
    for command in params["navigation"]?.array ?? [] {
      let screens = command["screens"]?.array?.compactMap(\.string) ?? []
      parts.append(([command["type"]?.string ?? "?"] + screens).joined(separator: " "))
    }
    for event in params["events"]?.array ?? [] {
      parts.append("\(event["screen"]?.string ?? "?").\(event["name"]?.string ?? "?")")
      parts.append(text(event["value"]))
    }
    return parts.joined(separator: " ")
  }

  private static func error(_ error: JSON) -> String {
    "error \(text(error["code"]))" + (error["data"].map { " \($0)" } ?? "")
  }

  private static func text(_ json: JSON?) -> String { json?.description ?? "?" }

  private static func isWhole(_ patch: JSON) -> Bool { patch[0]?["path"] == "" }
}

/// Returns the line of a request.
func call(_ id: Int, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}

func notification(_ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
}

/// Returns the line of an input.
func input(
  _ id: Int, _ name: String, _ value: String = "null", on screen: Int = 1, settle: Bool = false
) -> String {
  let last = settle ? #","settle":true"# : ""
  return call(
    id, "input", #"{"screen":"\#(screen)","name":"\#(name)","value":\#(value)\#(last)}"#)
}

/// Returns the short form of a patch that replaces one value.
func replaced(_ path: String, _ value: String) -> String {
  #"[{"op":"replace","path":"\#(path)","value":\#(value)}]"#
}
