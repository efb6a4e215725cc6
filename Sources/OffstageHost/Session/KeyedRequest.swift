internal import OffstageJSON
internal import OffstageRPC

/// A request with a key. It is performed once, no matter how often it is sent.
final class KeyedRequest {
  /// The number of requests that are kept.
  static let limit = 1024
  /// The longest key, in bytes.
  static let longestKey = 256

  static func key(_ view: JSONView, _ params: Params) throws(RPCError) -> [UInt8] {
    guard let key = view.string else { throw params.wrong("key", "string", view) }
    guard key.utf8.count <= longestKey else {
      throw params.wrong("key", "string of at most \(longestKey) bytes", view)
    }
    return Array(key.utf8)
  }

  let key: [UInt8]
  let method: Method
  /// The recipients that still wait.
  private(set) var recipients: [Recipient]
  /// The part of the response after its id; nil until there is one.
  var response: [UInt8]?

  init(_ key: [UInt8], _ method: Method, _ recipient: Recipient?) {
    (self.key, self.method) = (key, method)
    recipients = recipient.map { [$0] } ?? []
  }

  /// A request that an earlier process has performed. If that had not answered it, it fails.
  init?(key: String, state: JSON) {
    guard let name = state["method"]?.string,
      let method = Method.all.first(where: { $0.name == name })
    else { return nil }
    (self.key, self.method, recipients) = (Array(key.utf8), method, [])
    response = state["response"]?.string.map { Array($0.utf8) } ?? Self.cutResponse
  }

  private static let cutResponse: [UInt8] = {
    var writer = JSONWriter()
    writer.endResponse(RPCError(.requestCanceled, "request canceled: the core has restarted"))
    return Array(writer.bytes)
  }()

  var name: String { String(decoding: key, as: UTF8.self) }

  var state: JSON {
    [
      "method": .string(method.name),
      "response": response.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
    ]
  }

  /// Returns true if the response to another request with the key has to wait.
  func waits(for recipient: Recipient?) -> Bool { response == nil && isNew(recipient) }

  /// Adds a recipient. A line that is sent again with its id gets only one response.
  func add(_ recipient: Recipient?) {
    if let recipient, isNew(recipient) { recipients.append(recipient) }
  }

  private func isNew(_ recipient: Recipient?) -> Bool {
    // Every batch waits for a response to each of its requests.
    guard case .line(let id)? = recipient else { return recipient != nil }
    return !recipients.contains { if case .line(id) = $0 { true } else { false } }
  }

  func takeRecipients() -> [Recipient] {
    defer { recipients = [] }
    return recipients
  }
}
