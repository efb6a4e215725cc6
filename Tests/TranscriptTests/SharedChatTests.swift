import Foundation
import TestSupport
import Testing

/// Several processes show the chat of one data directory. On their virtual clocks a reply stands
/// still until a test advances the clock of the process that writes it.
@Suite struct SharedChatTests {
  private let shell: ProgramShell
  /// The message and the beginning of the reply.
  private let begun = "me: Hello, avatar: Hi, I'm Mina. A Seoul grandmother"

  init() throws { shell = try ProgramShell() }

  @Test func oneProcessAnswersAndTheOthersFollow() throws {
    let writer = try ChatProcess(shell)
    let reader = try ChatProcess(shell)
    try writer.send("Hello")
    #expect(try writer.chat().hasPrefix(begun + " (streaming)"))

    // Opened before the message was sent: to send a message shows it.
    try reader.send("Me too")
    #expect(try reader.chat() == begun + " (streaming), field: Me too, alert")
    try reader.input("retry")
    // Opened while the reply streams.
    let late = try ChatProcess(shell)
    #expect(try late.chat() == begun + " (streaming)")
    try late.input("retry")
    try writer.advance(30_000)
    let complete = try writer.chat()
    #expect(complete.hasSuffix("about?"))

    try late.advance(1_000)
    try reader.advance(1_000)
    #expect(try late.chat() == complete)
    #expect(try reader.chat() == complete + ", field: Me too, alert")
    try reader.input("send")
    try reader.advance(30_000)
    #expect(try reader.chat().hasPrefix(complete + ", me: Me too, avatar: "))
    #expect(
      try shell.run("ls d").output == "showcase.sqlite\nshowcase.sqlite-shm\nshowcase.sqlite-wal\n")
  }

  @Test func replyOfAKilledProcessIsOfferedForRetry() throws {
    let writer = try ChatProcess(shell)
    try writer.send("Hello")
    let reader = try ChatProcess(shell)
    try writer.kill()
    try reader.advance(1_000)
    #expect(try reader.chat() == begun + " (cut), retry")
    #expect(try ChatProcess(shell).chat() == begun + " (cut), retry")
    try reader.input("retry")
    try reader.advance(30_000)
    let complete = try reader.chat()
    #expect(complete.hasPrefix("me: Hello, avatar: Hi, I'm Mina.") && complete.hasSuffix("?"))
    #expect(try ChatProcess(shell).chat() == complete)
  }

  @Test func replyThatTheEndOfTheInputCutsOffLeavesOneFile() throws {
    let writer = try ChatProcess(shell)
    try writer.send("Hello")
    try writer.end()
    #expect(try shell.run("ls d").output == "showcase.sqlite\n")
    #expect(try ChatProcess(shell).chat().hasSuffix("(cut), retry"))
  }

  /// The other process has answered since this one has loaded the chat.
  @Test func replyIsRetriedOnce() throws {
    let writer = try ChatProcess(shell)
    try writer.send("Hello")
    try writer.input("stop")
    let reader = try ChatProcess(shell)
    #expect(try reader.chat().hasSuffix("(cut), retry"))
    try writer.input("retry")
    try writer.advance(30_000)
    try reader.input("retry")
    #expect(try reader.chat() == writer.chat() + ", alert")
  }

  @Test(arguments: [0, 300])
  func clearedChatGetsNoReply(milliseconds: Int) throws {
    let writer = try ChatProcess(shell)
    try writer.send("Hello", advancing: milliseconds)
    let reader = try ChatProcess(shell)
    try reader.input("clear")
    try reader.call("answer", #"{"prompt":"q1","value":{"button":"confirm"}}"#)
    #expect(try reader.chat() == "")
    try writer.advance(30_000)
    #expect(try writer.chat() == "alert")
    #expect(try ChatProcess(shell).chat() == "")
  }
}

/// A process that shows the chat with Mina.
private final class ChatProcess {
  private let child: Child
  private var lastID = 0

  init(_ shell: ProgramShell) throws {
    child = try Child([
      ProgramShell.program.path, "--deterministic", "--data", shell.directory.file("d").path,
      "--root", #"chat {"avatarId":"mina"}"#,
    ])
    try call("state/settle")
  }

  func end() throws { try child.end() }

  func kill() throws {
    Foundation.kill(child.id, SIGKILL)
    try child.end()
  }

  func send(_ text: String, advancing milliseconds: Int = 300) throws {
    try input("messageText", "\"\(text)\"")
    try input("send")
    try advance(milliseconds)
  }

  func advance(_ milliseconds: Int) throws {
    try call("clock/advance", #"{"milliseconds":\#(milliseconds)}"#)
  }

  func input(_ name: String, _ value: String = "null") throws {
    try call("input", #"{"screen":"1","name":"\#(name)","value":\#(value)}"#)
    try call("state/settle")
  }

  /// The messages, the text in the field, and whether a retry is offered and an alert shown.
  func chat() throws -> String {
    let state = try call("state/snapshot")["state"] as? [String: Any] ?? [:]
    let screen = (state["screens"] as? [String: Any])?["1"] as? [String: Any] ?? [:]
    let output = screen["output"] as? [String: Any] ?? [:]
    let messages = output["messages"] as? [String: Any] ?? [:]
    var parts = (messages["rows"] as? [[String: Any]] ?? []).map { message in
      let text = (message["pieces"] as? [String] ?? []).joined()
      return "\(message["author"] ?? ""): \(text)"
        + (message["isStreaming"] as? Bool == true ? " (streaming)" : "")
        + (message["isCut"] as? Bool == true ? " (cut)" : "")
    }
    if output["canRetry"] as? Bool == true { parts.append("retry") }
    let field = (screen["fields"] as? [String: [String: Any]])?["messageText"]?["value"] as? String
    if let field, !field.isEmpty { parts.append("field: \(field)") }
    if (state["prompts"] as? [String: Any])?.isEmpty == false { parts.append("alert") }
    return parts.joined(separator: ", ")
  }

  /// Sends a request and waits for its response.
  @discardableResult
  func call(_ method: String, _ params: String = "{}") throws -> [String: Any] {
    lastID += 1
    let line = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#
    try child.write(Array((line + "\n").utf8))
    while let line = try child.nextLine() {
      let message = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
      guard message["id"] as? Int == lastID else { continue }
      return message["result"] as? [String: Any] ?? [:]
    }
    throw CocoaError(.fileReadUnknown)
  }
}
