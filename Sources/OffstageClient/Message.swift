internal import OffstageJSON

enum Message {
  case notification(String, Value)
  case response(id: Int, Result<Value, Refusal>)
  /// The error of a line that the core could not read.
  case fault(Refusal)

  /// - Throws: `CoreEnded` for an invalid line.
  init(_ line: String) throws(CoreEnded) {
    guard let json = try? JSON(parsing: line, depth: 4096) else { throw Self.invalid(line) }
    let message = Value(json)
    if let method = message["method"].string {
      self = .notification(method, message["params"])
    } else if let id = message["id"].int {
      let error = message["error"]
      self = .response(
        id: id, error.isNull ? .success(message["result"]) : .failure(Refusal(error)))
    } else if !message["error"].isNull {
      self = .fault(Refusal(message["error"]))
    } else {
      throw Self.invalid(line)
    }
  }

  private static func invalid(_ line: String) -> CoreEnded {
    CoreEnded(.invalidLine(String(line.prefix(200))))
  }

  /// Returns the line of a request, or of a notification without an id.
  static func request(_ id: Int?, _ method: String, _ params: Value) -> String {
    var message: JSONObject = ["jsonrpc": "2.0"]
    message["id"] = id.map { .int($0) }
    message["method"] = .string(method)
    message["params"] = params.json
    return JSON.object(message).description
  }
}

/// The requests that wait for their responses, and the frames that a snapshot is to replace.
///
/// It decides, and acts on nothing itself.
struct Conversation {
  typealias Completion = @MainActor (Result<Value, any Error>) -> Void

  private var lastID = 0
  private var pending: [Int: Completion] = [:]
  /// The frames since one did not fit; nil while the document is up to date.
  private(set) var missed: [Frame]?

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func add(_ id: Int, _ completion: @escaping Completion) { pending[id] = completion }

  mutating func take(_ id: Int) -> Completion? { pending.removeValue(forKey: id) }

  mutating func takeAll() -> [Completion] {
    defer { pending = [:] }
    return pending.sorted { $0.key < $1.key }.map(\.value)
  }

  func isPending(_ id: Int) -> Bool { pending[id] != nil }

  /// Keeps a frame that cannot be applied, for its events.
  /// - Returns: True for the first one, which calls for a snapshot.
  mutating func miss(_ frame: Frame) -> Bool {
    missed = (missed ?? []) + [frame]
    return missed?.count == 1
  }

  /// Returns the frame that takes the place of the missed ones.
  mutating func restore(_ snapshot: Value) -> Frame {
    let frames = missed ?? []
    missed = nil
    return Frame(
      revision: snapshot["revision"].int ?? 0,
      patch: [["op": "replace", "path": "", "value": snapshot["state"]]],
      navigation: frames.flatMap(\.navigation), events: frames.flatMap(\.events),
      cause: frames.last?.cause ?? .null)
  }

  /// Drops a failed attempt, so that the next frame makes another one.
  mutating func giveUp() { missed = nil }
}
