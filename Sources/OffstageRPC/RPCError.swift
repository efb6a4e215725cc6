package import OffstageJSON

/// An error as JSON-RPC 2.0 knows it (section 5.1): a code for programs, a message for people.
package struct RPCError: Error, Hashable {
  package let code: Int
  package let message: String
  package let data: JSON?

  package init(_ code: Int, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// What was sent is not JSON.
  package static func parseError(_ message: String, data: JSON? = nil) -> Self {
    Self(-32700, message, data: data)
  }

  /// What was sent is JSON, but no request.
  package static func invalidRequest(_ message: String, data: JSON? = nil) -> Self {
    Self(-32600, message, data: data)
  }

  package static func methodNotFound(_ message: String) -> Self { Self(-32601, message) }

  package static func invalidParams(_ message: String, data: JSON? = nil) -> Self {
    Self(-32602, message, data: data)
  }

  package static func internalError(_ message: String) -> Self { Self(-32603, message) }

  /// The error object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("code")
    writer.int(code)
    writer.key("message")
    writer.string(message)
    if let data {
      writer.key("data")
      writer.json(data)
    }
    writer.endObject()
  }
}
