import Foundation
import OffstageSystem

/// The parts of a request that the tests check.
struct LoopbackRequest {
  /// `GET` or `POST`.
  var method: String
  /// The target as it was sent, such as `/pokemon?offset=0`.
  var target: String
  var path: String { String(target.prefix { $0 != "?" }) }
  var query: [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  /// The values by lowercase name.
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// Reads one request; nil when the client has closed the connection.
  init?(from connection: Int32) {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let fields = lines[0].split(separator: " ")
    guard fields.count > 2 else { return nil }
    method = String(fields[0])
    target = String(fields[1])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    while body.count < headers["content-length"].flatMap({ Int($0) }) ?? 0 {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      body.append(byte)
    }
  }
}

/// The server's reaction to a request.
enum LoopbackReply {
  case answer(LoopbackAnswer)
  /// Promises 100 bytes more than it sends.
  case truncated(LoopbackAnswer)
  /// Sends these bytes, and closes the connection.
  case raw(String)
  /// Closes the connection without a response.
  case hangUp
  /// Sends nothing until the client closes the connection.
  case silence
  /// Sends a body at full speed until the client closes the connection.
  case endless
  /// Sends its body in pieces of this size, with a pause before each.
  case paced(size: Int, count: Int, milliseconds: Int32)
  /// Sends its body in pieces (`Transfer-Encoding: chunked`).
  case stream(contentType: String, [String], StreamEnding)

  enum StreamEnding {
    case complete
    /// Closes the connection in the middle of the body.
    case cut
    /// Sends nothing more until the client closes the connection.
    case silence
  }

  static func events(_ events: [String], _ ending: StreamEnding = .complete) -> LoopbackReply {
    .stream(contentType: "text/event-stream; charset=utf-8", events, ending)
  }

  static func json(_ text: String) -> LoopbackReply {
    .answer(LoopbackAnswer(contentType: "application/json", body: Array(text.utf8)))
  }

  /// Returns a redirect like those of Django, nginx, and others.
  static func redirect(_ status: Int, to location: String) -> LoopbackReply {
    .status(status, ["Location": location])
  }

  static func status(_ status: Int, _ headers: [String: String] = [:]) -> LoopbackReply {
    .answer(LoopbackAnswer(status: status, headers: headers, body: Array("no".utf8)))
  }
}

struct LoopbackAnswer {
  var status = 200
  var headers: [String: String] = [:]
  var contentType: String? = "text/plain"
  var body: [UInt8]

  func bytes(length: Int) -> [UInt8] {
    var head = "HTTP/1.1 \(status) As ordered\r\nContent-Length: \(length)\r\n"
    if let contentType { head += "Content-Type: \(contentType)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8) + body
  }
}
