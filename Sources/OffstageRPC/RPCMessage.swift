package import OffstageJSON

/// What one line holds; each part is still to be read as a call.
package enum RPCMessage {
  case single(JSONView)
  /// JSON-RPC 2.0, section 6; never empty.
  case batch([JSONView])

  /// Requests in one batch. Without a bound, a line of two bytes a request would be answered with
  /// a hundred times its size.
  package static let longestBatch = 65_536

  /// - Parameter line: the number of the line, for errors.
  package init(_ root: JSONView, line: Int) throws(RPCInvalidRequest) {
    guard root.kind == .array else {
      self = .single(root)
      return
    }
    guard root.count > 0 else {
      throw RPCInvalidRequest(.null, "a batch needs at least one request", line)
    }
    guard root.count <= Self.longestBatch else {
      throw RPCInvalidRequest(
        .null, "a batch may have \(Self.longestBatch) requests, not \(root.count)", line)
    }
    self = .batch(Array(root.elements))
  }
}
