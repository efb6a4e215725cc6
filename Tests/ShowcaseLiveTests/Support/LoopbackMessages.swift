import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A request's first line; the tests need no more of it.
struct LoopbackRequest {
  /// As it was sent, such as `/pokemon?offset=0`.
  var target: String
  var path: String { String(target.prefix { $0 != "?" }) }
  var query: [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  /// Reads up to the empty line; nil when the client has closed the connection.
  init?(from connection: Int32) {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    let fields = String(decoding: head, as: UTF8.self).split(separator: " ")
    guard fields.count > 2 else { return nil }
    target = String(fields[1])
  }
}

/// What the server does with a request.
enum LoopbackReply {
  case answer(LoopbackAnswer)
  /// Promises 100 bytes more than it sends.
  case truncated(LoopbackAnswer)
  /// Closes the connection without a word.
  case hangUp
  /// Says nothing until the client closes the connection.
  case silence

  static func json(_ text: String) -> LoopbackReply {
    .answer(LoopbackAnswer(contentType: "application/json", body: Array(text.utf8)))
  }

  static func status(_ status: Int, _ headers: [String: String] = [:]) -> LoopbackReply {
    .answer(LoopbackAnswer(status: status, headers: headers, body: Array("no".utf8)))
  }
}

struct LoopbackAnswer {
  var status = 200
  var headers: [String: String] = [:]
  var contentType = "text/plain"
  var body: [UInt8]

  func bytes(length: Int) -> [UInt8] {
    var head = "HTTP/1.1 \(status) As ordered\r\nContent-Length: \(length)\r\n"
    head += "Content-Type: \(contentType)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8) + body
  }
}
