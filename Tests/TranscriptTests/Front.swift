import Offstage
import OffstageHost
import ShowcaseProgram

@testable import OffstageTesting

/// A front end of the showcase that starts with a single screen.
@CoreActor
final class Front {
  let host: TestHost
  /// The last request id. An id must not be reused while its work runs.
  private var lastID = 0

  init(_ root: String, language: String) async throws {
    host = try TestHost(Program.showcase, ["--deterministic", "--root", root])
    try await call("initialize", #"{"protocol":1,"locale":"\#(language)"}"#)
  }

  /// Sends an input, such as `placeTapped 18`, or advances the clock.
  func take(_ step: String) async throws {
    let words = step.split(separator: " ", maxSplits: 1)
    if words[0] == "advance" {
      return try await call("clock/advance", #"{"milliseconds":\#(words[1])}"#)
    }
    let value = words.count > 1 ? words[1] : "null"
    try await call("input", #"{"screen":"1","name":"\#(words[0])","value":\#(value)}"#)
  }

  /// Returns the screens of the document as JSON text.
  func state() async throws -> String {
    _ = try await host.settle()
    try await host.send(
      Array((#"{"jsonrpc":"2.0","id":"s","method":"state/snapshot"}"# + "\n").utf8))
    let line = try await host.settle().last ?? ""
    let start = line.firstRange(of: #""screens":{""#)?.upperBound ?? line.startIndex
    let end = line.firstRange(of: #","prompts":"#)?.lowerBound ?? line.endIndex
    return String(line[start..<end])
  }

  private func call(_ method: String, _ params: String) async throws {
    lastID += 1
    let line =
      #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"# + "\n"
    try await host.send(Array(line.utf8))
    _ = try await host.settle()
  }
}
