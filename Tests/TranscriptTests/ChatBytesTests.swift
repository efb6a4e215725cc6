import Offstage
import OffstageHost
import Showcase
import Testing

@testable import OffstageTesting

/// A streamed reply costs bytes in proportion to its text, and not to its square.
@Suite @CoreActor struct ChatBytesTests {
  @Test func piecesCostTheSameInALongReply() async throws {
    let short = try await bytes(ofPieces: 100)
    let long = try await bytes(ofPieces: 800)
    // 14 bytes of text and what surrounds it; a longer position has a digit more.
    #expect(short / 100 < 180)
    #expect(long / 800 < 180)
    #expect(abs(long - 8 * short) < long / 20)
  }

  /// The lines on the wire from the first piece to the last.
  private func bytes(ofPieces count: Int) async throws -> Int {
    let program = Program("showcase", version: "0") { _ in
      try CoreBuilder.app(try Self.dependencies(LongReply(count: count)))
    }
    let host = try TestHost(
      program, ["--deterministic", "--root", #"chat {"avatarId":"mina"}"#])
    try await host.send(Array((Self.input("messageText", #""Hello""#)).utf8))
    _ = try await host.settle()
    try await host.send(Array((Self.input("send", "null")).utf8))
    _ = try await host.settle()
    try await host.send(
      Array(
        (#"{"jsonrpc":"2.0","id":1,"method":"clock/advance","params":{"milliseconds":\#(count)}}"#
          + "\n").utf8))
    let frames = try await host.settle().filter { $0.contains("/pieces/") }
    _ = try await host.close()
    #expect(frames.count == count - 1)
    return frames.reduce(0) { $0 + $1.utf8.count + 1 }
  }

  private static func input(_ name: String, _ value: String) -> String {
    #"{"jsonrpc":"2.0","id":"\#(name)","method":"input","params":{"screen":"1","name":"\#(name)","#
      + #""value":\#(value)}}"# + "\n"
  }

  private static func dependencies(_ replies: LongReply) throws -> Dependencies {
    var dependencies = try Dependencies.stored()
    dependencies.set(.replies, to: replies)
    return dependencies
  }
}

/// A reply of many pieces, each a turn of its own on the core's clock.
private struct LongReply: ReplySource {
  let count: Int
  var pace: Duration? { .milliseconds(1) }

  func reply(
    to context: ChatHistory, as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      for _ in 1...count { continuation.yield(" piece of text") }
      continuation.finish()
    }
  }
}
