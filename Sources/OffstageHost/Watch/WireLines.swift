internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The parts of a front end's line that a relay needs.
struct Calls {
  /// The ids of the requests, as JSON text.
  private(set) var ids: [String] = []
  /// True if the responses are sent as an array.
  private(set) var isBatch = false
  /// True if the line changes nothing, apart from initializing the core.
  private(set) var onlyRead = true
  /// The level of the log that an `initialize` asks for.
  private(set) var logLevel: LogLevel?

  init(_ line: [UInt8]) {
    guard let text = try? JSONText(line, depth: Limits.deepest) else {
      ids = ["null"]
      return
    }
    text.withRoot { root in
      isBatch = root.isArray && root.count > 0
      for call in isBatch ? Array(root.elements) : [root] { add(call) }
    }
  }

  private mutating func add(_ view: JSONView) {
    do throws(RPCInvalidRequest) {
      let call = try RPCCall(view, line: 0)
      if let id = call.id { ids.append(id.text) }
      let method = Method.named(call.method)
      if method === Method.initialize, let params = call.params?.json {
        logLevel = params["log"]?.string.flatMap(LogLevel.init)
      }
      if let method, !method.onlyReads { onlyRead = false }
    } catch {
      if let id = error.id { ids.append(id.text) }
    }
  }
}

extension Calls {
  /// Returns the response to a line whose requests all fail; nil for a line of notifications.
  static func failure(of line: String, _ error: RPCError) -> [UInt8]? {
    let calls = Calls(Array(line.utf8))
    guard !calls.ids.isEmpty else { return nil }
    var writer = JSONWriter()
    if calls.isBatch { writer.beginArray() }
    for id in calls.ids {
      writer.raw(responseStart)
      writer.fragment(id)
      writer.endResponse(error)
    }
    if calls.isBatch { writer.endArray() }
    return Array(writer.bytes)
  }
}

extension Method {
  /// True if it changes neither the app nor what a front end gets.
  fileprivate var onlyReads: Bool {
    !keepsResponse && self !== Method.initialize && self !== Method.cancelRequest
  }
}

/// The parts of a core's line that a relay needs.
enum CoreLine {
  case frame(revision: Int)
  /// A response, or the responses to a batch, with the ids as JSON text and the first error.
  case responses([String], error: JSON?)
  /// The core has replayed a session.
  case replayed(JSON)
  case other

  static let replayedMethod = "$/replayed"

  init(_ line: [UInt8]) {
    if let revision = line.withUnsafeBytes({ FrameWriter.revision(of: $0) }) {
      self = .frame(revision: revision)
    } else if line.first == UInt8(ascii: "[")
      || responseStart.withUTF8Buffer({ line.starts(with: $0) })
    {
      self = Self.responses(in: line)
    } else if line.starts(with: Self.replayedStart), let params = Self.json(line)?["params"] {
      self = .replayed(params)
    } else {
      self = .other
    }
  }

  private static let replayedStart = Array(
    "{\"jsonrpc\":\"2.0\",\"method\":\"\(replayedMethod)\"".utf8)

  /// A value that was sent may come back inside others.
  private static let depth = 2 * Limits.deepest

  static func json(_ line: [UInt8]) -> JSON? {
    try? JSONText(line, depth: depth).withRoot(\.json)
  }

  private static func responses(in line: [UInt8]) -> CoreLine {
    guard let text = try? JSONText(line, depth: depth) else { return .other }
    return text.withRoot { root in
      let responses = root.isArray ? Array(root.elements) : [root]
      return .responses(
        responses.compactMap { $0.member("id").flatMap { RPCID($0)?.text } },
        error: responses.lazy.compactMap { $0.member("error")?.json }.first)
    }
  }
}
