package import OffstageJSON

/// The objects that go out, each without the end of its line.
extension JSONWriter {
  /// A response with a result (JSON-RPC 2.0, section 5).
  package mutating func response(to id: RPCID, _ result: (inout JSONWriter) -> Void) {
    raw("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    fragment(id.text)
    key("result")
    result(&self)
    endObject()
  }

  /// A response with an error.
  package mutating func response(to id: RPCID, _ error: RPCError) {
    raw("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    fragment(id.text)
    key("error")
    error.write(to: &self)
    endObject()
  }

  /// A notification (section 4.1).
  package mutating func notification(
    _ method: String, _ params: (inout JSONWriter) -> Void
  ) {
    beginObject()
    key("jsonrpc")
    string("2.0")
    key("method")
    string(method)
    key("params")
    params(&self)
    endObject()
  }

  /// Ends a line.
  package mutating func endLine() { bytes.append(0x0A) }
}
