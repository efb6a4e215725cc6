package import OffstageJSON

/// Collects the responses to a batch (JSON-RPC 2.0, section 6) until the last one is there.
package final class RPCBatch {
  private var responses = JSONWriter()
  private var missing: Int
  private let send: ([UInt8]) -> Void

  /// - Parameters:
  ///   - count: how many responses there will be; a batch of notifications has none.
  ///   - send: called once with the array of all of them.
  package init(expecting count: Int, send: @escaping ([UInt8]) -> Void) {
    missing = count
    self.send = send
    responses.beginArray()
  }

  /// Takes one response.
  package func add(_ write: (inout JSONWriter) -> Void) {
    write(&responses)
    missing -= 1
    guard missing == 0 else { return }
    responses.endArray()
    send(Array(responses.bytes))
  }
}
