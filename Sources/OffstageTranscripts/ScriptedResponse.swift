import OffstageJSON

/// A response of the HTTP server that a transcript's run starts alongside the core:
/// `@ GET /pokemon?limit=20 -> 200 [Retry-After: 3] {"count":1}` or `@ GET /pokemon -> close`.
package struct ScriptedResponse: Equatable, Sendable {
  package var line: Int
  package let method: String
  package let target: String
  /// nil to close the connection.
  package let status: Int?
  /// Headers such as `Location: /elsewhere`.
  package let headers: [String]
  package let body: [UInt8]

  /// The response to a request that no line of the transcript answers.
  package static let notFound = ScriptedResponse(
    line: 0, method: "", target: "", status: 404, headers: [], body: [])
}

extension ScriptedResponse {
  init(_ text: String) throws(TranscriptError.Problem) {
    let words = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    let status = words.count >= 4 ? Int(words[3]) : nil
    guard words.count >= 4, words[1].hasPrefix("/"), words[2] == "->",
      status.map({ (100...599).contains($0) }) ?? (words[3] == "close" && words.count == 4)
    else {
      throw TranscriptError.Problem(
        "expected '@ METHOD TARGET -> STATUS [Name: value] BODY' or '@ METHOD TARGET -> close'")
    }
    var rest = words.count > 4 ? words[4] : ""
    var headers: [String] = []
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      let header = rest[rest.index(after: rest.startIndex)..<end]
      // A JSON array has no colon after its first word.
      guard let colon = header.firstIndex(of: ":"), header.startIndex < colon,
        header[..<colon].utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isLetter })
      else { break }
      headers.append(String(header))
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    self.init(
      line: 0, method: String(words[0]), target: String(words[1]), status: status,
      headers: headers, body: try RawLine.bytes(of: String(rest)))
  }
}
