import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

private let ofType = "expected a file of the type text/plain or image/* at /mimeType"

/// The core checks the answers to the standard prompts, whatever the front end has checked.
@Suite @CoreActor struct StandardPromptTests {
  @Test(arguments: [
    ("", 4, "text/csv", "expected a file of at most 3 bytes at /size, found 4"),
    ("YWJj", 3, "text/plain", nil),
    ("YWJj", 3, "TEXT/Plain", nil),
    ("YWJj", 3, "image/png", nil),
    ("YWJj", 3, "text/csv", #"\#(ofType), found "text/csv""#),
    ("YWJj", 3, "image", #"\#(ofType), found "image""#),
    ("YWI=", 3, "text/plain", "expected all 3 bytes of the file at /base64, found 2 bytes"),
    ("YWJjZA==", 3, "text/plain", "expected a file of at most 3 bytes at /size, found 4"),
    ("YWJ", 3, "text/plain", "expected the whole file as Base64 at /base64, found \"YWJ\""),
    ("", 0, "text/plain", nil),
  ])
  func aFileIsTakenOnlyAsAsked(base64: String, size: Int, type: String, error: String?)
    async throws
  {
    let answer = #"{"name":"a.txt","mimeType":"\#(type)","size":\#(size),"base64":"\#(base64)"}"#
    try await check(.pickFile(types: ["text/plain", "image/*"], maxBytes: 3), answer, error)
  }

  @Test func theBytesOfAFileArrive() async throws {
    let file = try await answered(
      .pickFile(), #"{"name":"../../etc/a.txt","mimeType":"text/plain","size":3,"base64":"AP8K"}"#)
    #expect(file == PickedFile(name: "a.txt", mimeType: "text/plain", bytes: [0, 255, 10]))
  }

  @Test(arguments: [
    ("2026-02-28", nil), ("2024-02-29", nil), ("2026-03-31", nil),
    ("2026-02-29", "from 2024-01-01 through 2026-03-31"),
    ("2026-04-01", "from 2024-01-01 through 2026-03-31"),
    ("2023-12-31", "from 2024-01-01 through 2026-03-31"),
    ("2026-3-1", "from 2024-01-01 through 2026-03-31"), ("", "from 2024-01-01 through 2026-03-31"),
    ("2026-+1-01", "from 2024-01-01 through 2026-03-31"),
  ])
  func aDayIsOneOfThoseOffered(day: String, limits: String?) async throws {
    try await check(
      .pickDate(from: "2024-01-01", through: "2026-03-31"), #"{"date":"\#(day)"}"#,
      limits.map { #"expected a day such as 2026-03-01 \#($0) at /date, found "\#(day)""# })
  }

  @Test(arguments: [
    ("books://done", nil), ("books://done?code=1", nil), ("books://done/#a", nil),
    ("books://done.example.com?code=1", "another"), ("https://example.com", "another"),
  ])
  func signingInEndsAtTheCallback(url: String, found: String?) async throws {
    try await check(
      .signIn(at: "https://example.com/authorize", callback: "books://done"),
      #"{"url":"\#(url)"}"#,
      found.map { "expected an address that starts with books://done at /url, found \($0) one" })
  }

  @Test(arguments: [
    ("http://127.0.0.1:9/a", "http://127.0.0.1:9/a?code=1", nil),
    ("books://done", "books://done", nil),
    ("http://127.0.0.1:9/a", "books://done", "http://127.0.0.1:9/a"),
    ("http://127.0.0.1:9/a", "http://127.0.0.1:90/a", "http://127.0.0.1:9/a"),
  ])
  func aFrontEndReceivesTheBrowserAtAnAddressOfItsOwn(callback: String, url: String, error: String?)
    async throws
  {
    let answer = #"{"url":"\#(url)","callback":"\#(callback)"}"#
    try await check(
      .signIn(
        at: "https://example.com/authorize?redirect_uri={callback}", callback: "books://done"),
      answer, error.map { "expected an address that starts with \($0) at /url, found another one" })
    // Where the app does not let it, the callback stays.
    try await check(
      .signIn(at: "https://example.com/authorize", callback: "books://done"), answer,
      url.hasPrefix("books:")
        ? nil : "expected an address that starts with books://done at /url, found another one")
  }

  @Test func theCallbackIsInTheAddress() async throws {
    let core = TestCore(capabilities: ["*"])
    let screen = core.show { Probe() }
    screen.effects.run("ask") {
      _ = try await screen.effects.ask(.signIn(at: "https://a?to={callback}", callback: "b://c?d"))
    }
    await core.settle()
    let params = try #require(core.core.prompt("q1")).params
    #expect(
      String(decoding: params, as: UTF8.self)
        == #"{"url":"https://a?to=b%3A%2F%2Fc%3Fd","callback":"b://c?d","template":"https://a?to={callback}"}"#
    )
  }

  /// Others could name a file or a program, and the address may come from a server.
  @Test(arguments: [
    ("https://example.com/a", nil), ("HTTP://example.com", nil), ("mailto:kim@example.com", nil),
    ("tel:+8221234567", nil), ("javascript:alert(1)", #", whose scheme is "javascript": "#),
    ("file:///etc/passwd", #", whose scheme is "file": "#),
    ("/etc/passwd", ", which has no scheme"),
    ("http:a", #", whose scheme is "http": an address must start with https://"#),
    ("https://", #", whose scheme is "https""#), ("", ", which has no scheme"),
    ("https://a.b\nc", ": an address has no spaces or control characters"),
  ])
  func onlyAddressesThatABrowserOpensAreAskedFor(url: String, problem: String?) async throws {
    for isSignIn in [false, true] {
      let core = TestCore(capabilities: ["*"])
      let screen = core.show { Probe() }
      let errors = Recorder<PromptError>()
      screen.effects.run {
        if isSignIn {
          _ = try await screen.effects.ask(.signIn(at: url, callback: "books://done"))
        } else {
          _ = try await screen.effects.ask(.openURL(url))
        }
      } catch: {
        errors.append($0 as! PromptError)
      }
      await core.settle()
      #expect(core.prompts.isEmpty == (problem != nil))
      let message = problem.map { "cannot open \(JSON.string(url))\($0)" }
      #expect(errors.values.first?.description.hasPrefix(message ?? "-") != (message == nil))
      #expect(errors.values.count == (problem == nil ? 0 : 1))
    }
  }

  @Test(arguments: [
    ("notes.csv", "notes.csv"), ("여름 휴가.txt", "여름 휴가.txt"), ("../../.ssh/id", "id"),
    ("..\\..\\boot.ini", "boot.ini"), ("/etc/passwd", "passwd"), ("..", "file"), ("", "file"),
    (".bashrc", "bashrc"), ("a\u{202e}gpj.exe\u{0}\n", "agpj.exe"), ("C:evil", "Cevil"),
    (String(repeating: "é", count: 200), String(repeating: "é", count: 100)),
  ])
  func aNameOfAFileStaysInItsFolder(name: String, safe: String) async throws {
    let core = TestCore(capabilities: ["saveFile"])
    let screen = core.show { Probe() }
    screen.effects.run("ask") {
      _ = try await screen.effects.ask(.saveFile(name, mimeType: "a/b", from: "resource:x"))
    }
    await core.settle()
    let params = try #require(core.core.prompt("q1")).params
    #expect(try JSON(parsing: String(decoding: params, as: UTF8.self))["name"]?.string == safe)
  }

  @Test func aFrontEndThatDrawsEveryKindIsAskedAll() async throws {
    let core = TestCore(capabilities: ["*"])
    let screen = core.show { Probe() }
    screen.effects.run("ask") { _ = try await screen.effects.ask(Prompt<Bool>("pickRoom")) }
    await core.settle()
    #expect(core.prompts.map(\.description) == ["q1 pickRoom of 1"])
  }

  /// Answers a prompt, and checks whether it is refused.
  private func check<Answer: Equatable>(
    _ prompt: Prompt<Answer>, _ answer: String, _ error: String?,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    do {
      _ = try await answered(prompt, answer)
      #expect(error == nil, sourceLocation: location)
    } catch let mismatch as JSONMismatch {
      #expect(mismatch.description == error, sourceLocation: location)
    }
  }

  private func answered<Answer>(_ prompt: Prompt<Answer>, _ answer: String) async throws -> Answer {
    let core = TestCore(capabilities: ["*"])
    let screen = core.show { Probe() }
    let log = Recorder<Answer>()
    screen.effects.run("ask") { log.append(try await screen.effects.ask(prompt)) }
    await core.settle()
    try core.answer("q1", answer)
    await core.settle()
    return try #require(log.values.first)
  }
}
