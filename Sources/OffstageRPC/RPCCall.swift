package import OffstageJSON

/// A request or a notification (JSON-RPC 2.0, section 4), as long as its text is not read over.
package struct RPCCall {
  /// Nil for a notification.
  package let id: RPCID?
  package let method: JSONView
  /// An object, an array, or nothing.
  package let params: JSONView?

  /// Reads one call.
  /// - Parameter line: the number of its line, for errors.
  package init(_ view: JSONView, line: Int) throws(RPCInvalidRequest) {
    guard view.kind == .object else {
      throw RPCInvalidRequest(.null, "a request is an object, not \(view.kind.name)", line)
    }
    let idView = view.member("id")
    id = idView.flatMap { RPCID($0) }
    guard id != nil || idView == nil else {
      throw RPCInvalidRequest(.null, "an id is a string, a number or null", line)
    }
    if let path = view.duplicateKey {
      throw RPCInvalidRequest(duplicate: path, path == "/id" ? .null : id, line)
    }
    guard view.member("jsonrpc")?.equals("2.0") == true else {
      throw RPCInvalidRequest(id ?? .null, "a request has \"jsonrpc\": \"2.0\"", line)
    }
    guard let method = view.member("method"), method.kind == .string else {
      throw RPCInvalidRequest(id ?? .null, "a request has a method, which is a string", line)
    }
    self.method = method
    params = view.member("params")
    if let kind = params?.kind, kind != .object, kind != .array {
      throw RPCInvalidRequest(
        id ?? .null, "params is an object or an array, not \(kind.name)", line)
    }
  }
}
