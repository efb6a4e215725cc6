import Foundation
import OffstageTesting
import ShowcaseMain
import Testing

/// What the program keeps on disk is there the next time.
@Suite struct RestartTests {
  @Test func aChatAndTheOptionsSurviveARestart() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("showcase-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    try await play(
      """
      $ showcase --installation 0 --data \(directory.path) --root 'chat {"avatarId":"mina"}'

      > \(Self.input("messageText", #","value":"Hello""#))
      < "$_"
      < "$_"
      < "$_"

      > \(Self.input("send"))
      < "$_"
      < "$_"
      < "$_"

      = exit 0
      """)
    try await play(
      """
      $ showcase --installation 0 --data \(directory.path) --root devSettings

      > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
      < "$_"
      < "$_"
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":1,
        "patch":[{"op":"replace","path":"/screens/1/output/events","value":[
        {"id":2,"name":"chat.sent","parameters":{"avatarId":"mina"},"at":"$_"},
        {"id":1,"name":"chat.opened","parameters":{"avatarId":"mina"},"at":"$_"}]}]}}

      > \(Self.input("categoryRowPicked", #","value":"hidden""#))
      < "$_"
      < "$_"

      = exit 0
      """)
    try await play(
      """
      $ showcase --installation 0 --data \(directory.path) --root devSettings

      > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
      < "$_"
      < "$_"
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":1,
        "patch":[{"op":"replace","path":"/screens/1/output/overrides/categoryRow","value":"hidden"},
        {"op":"replace","path":"/screens/1/output/tests/categoryRow","value":"hidden"},
        "$_"]}}

      = exit 0
      """)
    try await play(
      """
      $ showcase --installation 0 --data \(directory.path) --root chats

      > \(Self.input("didAppear"))
      < "$_"
      < "$_"
      < "$_"
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":"$_","cause":"$_",
        "patch":[{"op":"add","path":"/screens/1/output/chats/0","value":{"id":"mina",
        "avatarId":"mina","name":"Mina","image":"$_","lastMessage":"Hello","at":"$_"}},
        {"op":"replace","path":"/screens/1/output/isLoading","value":false}]}}

      = exit 0
      """)
  }

  private static func input(_ name: String, _ value: String = "") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"input","params":{"screen":"1","name":"\#(name)"\#(value)}}"#
  }

  private func play(_ transcript: String) async throws {
    let differences = try await check(
      transcript: transcript, file: "restart", with: Main.program)
    for difference in differences { Issue.record("\(difference)") }
  }
}
