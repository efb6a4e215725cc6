import Foundation
import OffstageClient
import Testing

@testable import ShowcaseUI

/// Reads the files that a person picks, and those that an app offers.
@MainActor
@Suite struct FileTests {
  @Test(.enabled(if: Programs.meanings != nil)) func inputTakesAFile() async throws {
    let scene = try await PromptTests.Scene("form")
    let plan = ScreenPlan(of: scene.screen, try #require(scene.core.description))
    let picker = try #require(
      plan.items.compactMap { if case .file(let picker) = $0 { picker } else { nil } }.first)
    let folder = try TemporaryFolder()
    let long = try folder.file("long.txt", Data(count: 21))
    #expect(
      picker.pick(long, "text/plain") == "long.txt has 21 bytes. At most 20 bytes are allowed.")
    let picture = try folder.file("a.png", Data(count: 1))
    #expect(
      picker.pick(picture, "image/png") == "a.png is of another type. Choose a file of text/*.")
    let short = try folder.file("plan.txt", Data("Two vans".utf8))
    #expect(picker.pick(short, "text/plain") == nil)
    try await scene.core.until { !scene.screen["outcome"].isNull }
    #expect(scene.screen["outcome"].string == "plan.txt: Two vans")
    await scene.core.close()
  }

  @Test(arguments: [
    ("plan.svg", "plan.svg"), ("../../plan.svg", "plan.svg"), (#"C:\plan.svg"#, "plan.svg"),
    ("..", "file"), ("", "file"), ("a/", "a"), (".hidden", "hidden"),
    ("../a/\u{338}b", "\u{338}b"),
  ])
  func nameOfADownloadStaysInItsFolder(_ name: String, _ safe: String) {
    #expect(Array(SavedFile(["name": Value(name)]).name.utf8) == Array(safe.utf8))
  }

  @Test func resourceIsReadInPieces() async throws {
    let fake = FakeCore([:], output: [:])
    let (core, _) = try await fake.start()
    fake.resource = Data("Two vans and a cart".utf8)
    #expect(try await core.bytes(of: "resource:plan") == fake.resource)
    #expect(fake.pieces == [0..<8, 8..<16, 16..<19])
    await #expect(throws: Mistake.self) { try await core.bytes(of: "resource:plan", limit: 18) }
    fake.resource = Data()
    #expect(try await core.bytes(of: "resource:plan") == Data())
    await core.close()
  }

  @Test func resourceThatEndsEarlyIsAMistake() async throws {
    let fake = FakeCore([:], output: [:])
    let (core, _) = try await fake.start()
    fake.resource = Data("Two vans and a cart".utf8)
    fake.endsAfter = 8
    await #expect(throws: Mistake.self) { try await core.bytes(of: "resource:plan") }
    await core.close()
  }
}

/// A folder for the files of a test, which goes with it.
final class TemporaryFolder {
  let url = URL.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String, _ data: Data) throws -> URL {
    let file = url.appending(path: name)
    try data.write(to: file)
    return file
  }
}
