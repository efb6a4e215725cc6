package import OffstageJSON

/// A request or a notification (JSON-RPC 2.0, section 4), as long as its text is not read over.
package struct RPCCall {
  /// Nil for a notification.
  package let id: RPCID?
  package let method: JSONView
  /// An object, an array, or nothing.
  package let params: JSONView?
}

/// What is not a call, with whatever id it has.
package struct RPCRefusal: Error {
  /// Nil for a notification whose params are at fault: it is not answered.
  package let id: RPCID?
  package let error: RPCError
}

/// What one line holds.
package enum RPCMessage {
  case single(Result<RPCCall, RPCRefusal>)
  /// Section 6; never empty.
  case batch([Result<RPCCall, RPCRefusal>])

  /// Requests in one batch. Without a bound, a line of two bytes a request would be answered with
  /// a hundred times its size.
  package static let longestBatch = 65_536

  /// Reads the message that a text holds.
  /// - Parameter line: the number of its line, for errors.
  package init(_ text: JSONText, line: Int) {
    let root = text.root
    guard root.kind == .array else {
      self = .single(Self.call(root, in: text, line: line))
      return
    }
    if root.count == 0 {
      self = .single(.failure(Self.refusal(.null, "a batch needs at least one request", line)))
    } else if root.count > Self.longestBatch {
      let message = "a batch may have \(Self.longestBatch) requests, not \(root.count)"
      self = .single(.failure(Self.refusal(.null, message, line)))
    } else {
      self = .batch(root.elements.map { Self.call($0, in: text, line: line) })
    }
  }

  private static func call(
    _ view: JSONView, in text: JSONText, line: Int
  ) -> Result<RPCCall, RPCRefusal> {
    guard view.kind == .object else {
      return .failure(refusal(.null, "a request is an object, not \(view.kind.name)", line))
    }
    let idView = view.member("id")
    let id = idView.flatMap { RPCID($0) }
    let known = id ?? .null
    guard id != nil || idView == nil else {
      return .failure(refusal(.null, "an id is a string, a number or null", line))
    }
    if let path = text.duplicateKey(in: view) {
      return .failure(duplicate(path, path == "/id" ? .null : id, line))
    }
    guard view.member("jsonrpc")?.equals("2.0") == true else {
      return .failure(refusal(known, "a request has \"jsonrpc\": \"2.0\"", line))
    }
    guard let method = view.member("method"), method.kind == .string else {
      return .failure(refusal(known, "a request has a method, which is a string", line))
    }
    let params = view.member("params")
    if let kind = params?.kind, kind != .object, kind != .array {
      return .failure(refusal(known, "params is an object or an array, not \(kind.name)", line))
    }
    return .success(RPCCall(id: id, method: method, params: params))
  }

  private static func refusal(_ id: RPCID, _ message: String, _ line: Int) -> RPCRefusal {
    RPCRefusal(
      id: id,
      error: .invalidRequest(
        "Invalid request: \(message)", data: ["line": .number(JSONNumber(line))]))
  }

  /// A key twice in an object leaves open what is meant; nothing is guessed.
  private static func duplicate(_ path: String, _ id: RPCID?, _ line: Int) -> RPCRefusal {
    let prefix = "/params"
    guard path.hasPrefix(prefix + "/") else {
      return refusal(id ?? .null, "the key at \(path) stands there twice", line)
    }
    let inParams = String(path.dropFirst(prefix.count))
    return RPCRefusal(
      id: id,
      error: .invalidParams(
        "Invalid params: the key at \(inParams) stands there twice",
        data: ["path": .string(inParams), "expected": "each key once", "found": "a duplicate"]))
  }
}
