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
  @Test func generatedFileIsCurrent() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Showcase.path).deletingLastPathComponent()
      .appendingPathComponent("offstage")
    process.arguments = [
      "generate", "swift", root.appendingPathComponent("Protocol/openrpc.json").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let kept = try String(
      contentsOf: root.appendingPathComponent("clients/swiftui/Sources/ShowcaseUI/Screens.swift"),
      encoding: .utf8)
    #expect(
      text == kept,
      "stale: offstage generate swift Protocol/openrpc.json > clients/swiftui/Sources/ShowcaseUI/Screens.swift"
    )
  }
}
