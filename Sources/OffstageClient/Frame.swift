internal import OffstageJSON

enum Message {
  case notification(String, Value)
  case response(id: Int, Result<Value, Refusal>)
  /// The error of a line that the core could not read.
  case fault(Refusal)

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

  /// Returns the line of a request or, if the id is nil, of a notification.
  static func request(_ id: Int?, _ method: String, _ params: Value) -> String {
    var message: JSONObject = ["jsonrpc": "2.0"]
    message["id"] = id.map { .int($0) }
    message["method"] = .string(method)
    message["params"] = params.json
    return JSON.object(message).description
  }
}

/// A step of the document from one revision to the next.
public struct Frame: Sendable {
  /// The revision of the document after this frame.
  public let revision: Int
  /// The operations (RFC 6902).
  public let patch: Value
  /// The commands that led to the new navigation, for animations.
  public let navigation: [Value]
  /// One-off notifications, which the document does not keep.
  public let events: [ScreenEvent]
  /// The id of the request that caused the change; null if there is none.
  public let cause: Value
  /// True if the description has to be read again.
  let describesAgain: Bool

  /// True if the frame replaces the whole document, and so fits any revision.
  var isWhole: Bool { patch[0]["path"].string == "" }
}

extension Frame {
  init?(_ params: Value) {
    guard let revision = params["revision"].int else { return nil }
    self.revision = revision
    patch = params["patch"]
    navigation = params["navigation"].array ?? []
    events = (try? params["events"].decode()) ?? []
    cause = params["cause"]
    describesAgain = !params["schema"].isNull
  }

  /// Creates a frame that replaces others, but keeps their events and animations.
  init(_ revision: Int, replacing frames: [Frame], by document: Value) {
    self.revision = revision
    patch = [["op": "replace", "path": "", "value": document]]
    navigation = frames.flatMap(\.navigation)
    events = frames.flatMap(\.events)
    cause = frames.last?.cause ?? .null
    describesAgain = frames.contains(where: \.describesAgain)
  }
}

/// A one-off notification of a screen.
public struct ScreenEvent: Hashable, Decodable, Sendable {
  /// The id of the screen.
  public let screen: String
  /// The name of the event.
  public let name: String
  /// The value of the event.
  public let value: Value
}

struct Changes {
  enum Part: Hashable {
    case output(String)
    case field(String)
    case everything
  }

  private(set) var isWhole = false
  private(set) var navigation = false
  private(set) var prompts = false
  /// The screens that have opened or closed.
  private(set) var screens: Set<String> = []
  /// The changed parts of open screens, by screen id; the app's id is `app`.
  private(set) var parts: [String: Set<Part>] = [:]

  init(_ frame: Frame) {
    for operation in frame.patch.array ?? [] {
      for pointer in [operation["path"].string, operation["from"].string] {
        guard let pointer, let path = try? JSONPointer.tokens(of: pointer) else { continue }
        add(path[...])
      }
    }
  }

  private mutating func add(_ path: ArraySlice<String>) {
    var rest = path
    switch rest.popFirst() {
    case "navigation": navigation = true
    case "prompts": prompts = true
    case "app": add(rest, of: "app")
    case "screens":
      guard let id = rest.popFirst() else {
        isWhole = true
        return
      }
      if rest.isEmpty { screens.insert(id) } else { add(rest, of: id) }
    default: isWhole = true
    }
  }

  private mutating func add(_ path: ArraySlice<String>, of screen: String) {
    let part: Part
    switch (path.first, path.dropFirst().first) {
    case ("output", let name?): part = .output(name)
    case ("fields", let name?): part = .field(name)
    default: part = .everything
    }
    parts[screen, default: []].insert(part)
  }
}
