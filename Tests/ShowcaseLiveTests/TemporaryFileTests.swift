import Foundation
import OffstageLive
import OffstageSystem
import TestSupport
import Testing

@testable import LiveTestSupport

/// With a database in memory, nothing is left on the disk, however the program ends.
@Suite struct TemporaryFileTests {
  private enum End: CaseIterable {
    case endOfInput, terminated, killed
  }

  private let shell: ProgramShell

  init() throws { shell = try ProgramShell() }

  @Test(arguments: End.allCases) private func picturesAreNotLeft(_ end: End) async throws {
    let server = try LoopbackServer { request in
      request.path.hasSuffix(".png")
        ? .answer(LoopbackAnswer(contentType: "image/png", body: Pictures.png))
        : .json(#"{"results":[{"name":"a","url":"http://x/1/"}]}"#)
    }
    defer { server.stop() }
    let process = try shell.start([
      "--deterministic", "--root", "pokedex", "--pokeapi", "\(server.base)",
    ])
    send(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"files":true}}"#,
      to: process)
    send(
      #"{"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"didAppear"}}"#,
      to: process)
    let picture = try #require(output(of: process) { $0.firstMatch(of: /resource:image[^"]+/) })
    send(
      #"{"jsonrpc":"2.0","id":3,"method":"resource/read","params":{"uri":"\#(picture.0)"}}"#,
      to: process)
    let answer = try #require(output(of: process) { $0.firstMatch(of: /"id":3.*\n/) })
    #expect(answer.0.contains(Data(Pictures.png).base64EncodedString()))
    try finish(process, end)
    #expect(try shell.directory.contents() == [:])
  }

  @Test(arguments: End.allCases) private func downloadOfPlacesIsNotLeft(_ end: End) async throws {
    let piece = String(repeating: " ", count: 1 << 20)
    let server = try LoopbackServer { _ in
      .stream(contentType: "application/json", Array(repeating: piece, count: 32), .silence)
    }
    defer { server.stop() }
    let process = try shell.start([
      "--deterministic", "--root", "map", "--hotplaces", "\(server.base)/places.geojson",
    ])
    send(
      #"{"jsonrpc":"2.0","id":1,"method":"input","params":{"screen":"1","name":"didAppear"}}"#,
      to: process)
    // More than fits between the server and the file.
    await server.next(.sent(path: "/places.geojson"))
    try finish(process, end)
    #expect(try shell.directory.contents() == [:])
  }

  private func send(_ line: String, to process: ChildProcess) {
    let bytes = Array((line + "\n").utf8)
    #expect(bytes.withUnsafeBytes { systemWrite(process.input, $0) } == bytes.count)
  }

  /// Reads until `match` finds something; nil if the output ends before.
  private func output<Match>(of process: ChildProcess, _ match: (String) -> Match?) -> Match? {
    var text = ""
    while case let bytes = readAvailable(from: process.output), !bytes.isEmpty {
      text += String(decoding: bytes, as: UTF8.self)
      if let found = match(text) { return found }
    }
    return nil
  }

  private func finish(_ process: ChildProcess, _ end: End) throws {
    switch end {
    case .endOfInput: break
    case .terminated: kill(process.id, SIGTERM)
    case .killed: kill(process.id, SIGKILL)
    }
    systemClose(process.input)
    while !readAvailable(from: process.output).isEmpty {}
    systemClose(process.output)
    _ = try process.wait()
  }
}
