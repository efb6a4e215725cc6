import Foundation
import OffstageClient
import Testing

/// The types that `offstage generate swift` has written for the reference app.
enum ShowcaseTypes {
  /// Decodes and encodes the outputs of each kind of screens.
  @MainActor static let all: [String: (Value) throws -> Value] = {
    Dictionary(uniqueKeysWithValues: AppSchema.screens.map { ($0.kind, recode($0)) })
  }()

  @MainActor private static func recode<S: TypedScreen>(
    _ type: S.Type
  ) -> (Value) throws -> Value {
    { try Value(encoding: $0.decode(S.Output.self)) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct GeneratedTests {
  @Test func textsOfADescriptionBecomeLiterals() throws {
    let description = FileManager.default.temporaryDirectory
      .appendingPathComponent("description-\(UUID()).json")
    try #"{"info":{"title":"a\n\"\\(b)\u0000"},"x-screens":{}}"#
      .write(to: description, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: description) }
    #expect(try generate(description).contains(#"static let app = "a\n\"\\(b)\0""#))
  }

  @Test func generatedFileIsCurrent() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try generate(root.appendingPathComponent("Protocol/openrpc.json"))
    let kept = try String(
      contentsOf: root.appendingPathComponent("clients/swiftui/Sources/ShowcaseUI/Screens.swift"),
      encoding: .utf8)
    #expect(text == kept, "Screens.swift is stale: run Tests/run --step regenerate")
  }

  /// Returns what `offstage generate swift` prints for a description.
  private func generate(_ description: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Showcase.path).deletingLastPathComponent()
      .appendingPathComponent("offstage")
    process.arguments = ["generate", "swift", description.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }
}
