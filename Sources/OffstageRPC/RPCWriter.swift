package import OffstageJSON

/// The start of a response, up to its id.
package var responseStart: StaticString { "{\"jsonrpc\":\"2.0\",\"id\":" }

// Writes the objects to send, without their line feeds.
extension JSONWriter {
  package mutating func response(to id: RPCID, _ error: RPCError) {
    beginResponse(to: id)
    endResponse(error)
  }

  package mutating func beginResponse(to id: RPCID) {
    raw(responseStart)
    fragment(id.text)
  }

  package mutating func endResponse(_ result: (inout JSONWriter) -> Void) {
    key("result")
    result(&self)
    endObject()
  }

  package mutating func endResponse(_ error: RPCError) {
    key("error")
    error.write(to: &self)
    endObject()
  }

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
}

extension RPCError {
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

/// Collects the responses to a batch (section 6) and sends them once they are complete and no call
/// is left.
package final class RPCBatch {
  private var responses = JSONWriter()
  private var missing: Int
  private var isProcessed = false
  private let send: ([UInt8]) -> Void

  /// Creates a batch. Calls `send` once with the array of all responses, unless none are expected.
  package init(expecting count: Int, send: @escaping ([UInt8]) -> Void) {
    missing = count
    self.send = send
    responses.beginArray()
  }

  package var count: Int { responses.bytes.count }

  /// True once the responses have exceeded the limit. No more of them need to be computed.
  package private(set) var isFull = false

  /// Adds a response, or another one if the responses would exceed the limit.
  package func add(
    _ write: (inout JSONWriter) -> Void, limit: Int = .max,
    orElse other: (inout JSONWriter) -> Void = { _ in }
  ) {
    let start = count
    write(&responses)
    if count > limit {
      isFull = true
      responses.bytes.truncate(to: start)
      other(&responses)
    }
    missing -= 1
    sendIfComplete()
  }

  /// Says that no call of the batch is left, also none without a response.
  package func end() {
    isProcessed = true
    sendIfComplete()
  }

  private func sendIfComplete() {
    guard isProcessed, missing == 0, count > 1 else { return }
    responses.endArray()
    send(Array(responses.bytes))
  }
}
