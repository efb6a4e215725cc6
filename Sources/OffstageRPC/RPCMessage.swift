package import OffstageJSON

/// A request or a notification (JSON-RPC 2.0, section 4). Valid only while its view is.
package struct RPCCall {
  /// nil for a notification.
  package let id: RPCID?
  package let method: JSONView
  /// An object, an array, or nil, which null stands for, too.
  package let params: JSONView?

  package init(_ view: JSONView, line: Int) throws(RPCInvalidRequest) {
    guard view.isObject else {
      throw RPCInvalidRequest(.null, "a request is an object, not \(view.kind.name)", line)
    }
    let idView = view.member("id")
    id = idView.flatMap { RPCID($0) }
    guard id != nil || idView == nil else {
      throw RPCInvalidRequest(.null, "an id is a string, a number, or null", line)
    }
    if let path = view.duplicateKey {
      // The id may be ambiguous even if it is not the first duplicate.
      let ids = view.members.count { $0.key.equals("id") }
      throw RPCInvalidRequest(duplicate: path, ids > 1 ? .null : id, line)
    }
    guard view.member("jsonrpc")?.equals("2.0") == true else {
      throw RPCInvalidRequest(id ?? .null, "a request has \"jsonrpc\": \"2.0\"", line)
    }
    guard let method = view.member("method"), method.isString else {
      throw RPCInvalidRequest(id ?? .null, "a request has a method, which is a string", line)
    }
    self.method = method
    params = view.member("params").flatMap { $0.isNull ? nil : $0 }
    if let params, !params.isObject, !params.isArray {
      throw RPCInvalidRequest(
        id ?? .null, "params is an object or an array, not \(params.kind.name)", line)
    }
  }
}

extension RPCCall {
  /// Returns the values of a batch (JSON-RPC 2.0, section 6), which is never empty. Batches are bounded,
  /// as two bytes of one may cause a response of hundreds.
  package static func batch(
    _ root: JSONView, line: Int, longest: Int
  ) throws(RPCInvalidRequest) -> [JSONView] {
    guard root.count > 0 else {
      throw RPCInvalidRequest(.null, "a batch needs at least one request", line)
    }
    guard root.count <= longest else {
      throw RPCInvalidRequest(
        .null, "a batch may have \(longest) requests, not \(root.count)", line)
    }
    return Array(root.elements)
  }
}

/// The id of a request, byte for byte as it was sent: `1`, `1.0`, and `"1"` are three ids.
///
/// It is a `String`, which stores up to 15 bytes inline; nearly every id is that short.
package struct RPCID: Hashable, Sendable {
  private let bytes: ByteString

  package static let null = RPCID(bytes: ByteString("null"))

  private init(bytes: ByteString) { self.bytes = bytes }

  package var text: String { bytes.string }

  /// - Returns: nil for a value that cannot be an id.
  package init?(_ view: JSONView) {
    switch view.kind {
    case .number, .null: bytes = ByteString(view.withBytes { String(decoding: $0, as: UTF8.self) })
    case .string:
      // The writer escapes the separators that would break a line.
      var writer = JSONWriter()
      writer.view(view)
      bytes = ByteString(String(writer.bytes))
    case .bool, .array, .object: return nil
    }
  }

}

/// A value that is not a valid call, with its id if it has one.
package struct RPCInvalidRequest: Error {
  /// nil for a notification with invalid params, which gets no response.
  package let id: RPCID?
  package let error: RPCError
}

extension RPCInvalidRequest {
  @inline(never)
  fileprivate init(_ id: RPCID, _ message: String, _ line: Int) {
    self.init(
      id: id,
      error: RPCError(-32600, "Invalid request: \(message)", data: ["line": .int(line)]))
  }

  /// Creates the error for a duplicate key, which makes a request ambiguous.
  fileprivate init(duplicate path: String, _ id: RPCID?, _ line: Int) {
    let prefix = "/params"
    guard path.utf8.starts(with: (prefix + "/").utf8) else {
      self.init(id ?? .null, "duplicate key at \(path)", line)
      return
    }
    let inParams = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    self.init(
      id: id,
      error: RPCError(
        -32602, "Invalid params: duplicate key at \(inParams)",
        data: ["path": .string(inParams), "expected": "each key once", "found": "a duplicate"]))
  }
}

/// An error of JSON-RPC 2.0 (section 5.1), with a code for programs and a message for people.
package struct RPCError: Error, Hashable {
  package let code: Int
  package let message: String
  package let data: JSON?

  /// The most bytes in the message, and in each string member of the data. An error may quote text
  /// of any length from a request, and the core keeps the responses to requests with a key.
  package static let longestText = 4096

  package init(_ code: Int, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message.shortened
    self.data =
      data?.object.map { members in
        .object(JSONObject(members.members.map { ($0.key, $0.value.shortened) }))
      } ?? data
  }
}

extension String {
  /// The text, cut to the length that an error may have.
  fileprivate var shortened: String {
    guard utf8.count > RPCError.longestText else { return self }
    var end = utf8.index(startIndex, offsetBy: RPCError.longestText - "…".utf8.count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}

extension JSON {
  fileprivate var shortened: JSON { string.map { .string($0.shortened) } ?? self }
}
