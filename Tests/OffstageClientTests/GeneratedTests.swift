import Foundation
import OffstageClient
import OffstageSystem
import TestSupport
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
    let description = #"{"info":{"title":"a\n\"\\(b)\u0000"},"x-screens":{}}"#
    #expect(try generate(description).contains(#"static let app = "a\n\"\\(b)\0""#))
  }

  @Test func generatedFileIsCurrent() throws {
    let text = try generate(openRPC)
    let kept = try String(
      contentsOf: root.appendingPathComponent("clients/swiftui/Sources/ShowcaseUI/Screens.swift"),
      encoding: .utf8)
    #expect(text == kept, "Screens.swift is stale: run Tests/run --step regenerate")
  }

  /// Every name that the generated code uses but does not declare.
  @Test func typesOfAnAppDoNotHideThoseOfTheGeneratedCode() throws {
    let code = try generate(openRPC).replacing(/"[^"]*"|\/\/.*/, with: "")
    let declared = Set(code.matches(of: /(?:struct|enum) (\w+)/).map { String($0.1) })
    let words = Set(code.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
    let used = words.subtracting(declared).subtracting(["OffstageClient"])
      .union(["Output", "Key", "RemoteCore"])
    #expect(used.isSuperset(of: ["Value", "Options", "DecodingError", "AsyncStream"]))
    let schemas = used.map { #""\#($0)":{"type":"object","properties":{"a":{"type":"integer"}}}"# }
    let outputs = used.map { ##""\##($0)":{"$ref":"#/components/schemas/\##($0)"}"## }
    let generated = try generate(
      """
      {"components":{"schemas":{\(schemas.joined(separator: ","))}},
      "x-screens":{"a":{"outputs":{\(outputs.joined(separator: ","))}}}}
      """)
    let hidden = used.filter { generated.contains("\nstruct \($0):") }
    #expect(hidden.sorted() == [])
    #expect(generated.contains("\nstruct Value2:"))
  }

  @Test func everyValueOfAnEnumerationHasACaseOfItsOwn() throws {
    let generated = try generate(
      """
      {"x-screens":{"a":{"outputs":{"b":{"type":"string","enum":["","+","a b","aB","_","1","Type"]}}}}}
      """)
    let cases = generated.matches(of: /case (\w+)/).map { String($0.1) }
    #expect(cases == ["value", "value2", "aB", "aB2", "value3", "_1", "type"])
  }

  @Test func everyMemberHasAnIdentifierOfItsOwn() throws {
    let generated = try generate(
      """
      {"x-screens":{"a":{"outputs":{"a-b":{"type":"integer"},"aB":{"type":"integer"}}}}}
      """)
    #expect(generated.contains("var aB: Int"))
    #expect(generated.contains(#"case aB = "a-b", aB2 = "aB""#))
  }

  @Test func schemaWithoutATypeIsAValueHoweverOftenItIsUsed() throws {
    let generated = try generate(
      """
      {"components":{"schemas":{"Mixed":{"oneOf":[{"type":"integer"},{"type":"string"}]}}},
      "x-screens":{"a":{"outputs":{
      "b":{"$ref":"#/components/schemas/Mixed"},"c":{"$ref":"#/components/schemas/Mixed"}}}}}
      """)
    #expect(generated.contains("var b: Value\n"))
    #expect(generated.contains("var c: Value\n"))
  }

  /// Returns what `offstage generate swift` prints for a description.
  private func generate(_ text: String) throws -> String {
    let description = FileManager.default.temporaryDirectory
      .appendingPathComponent("description-\(UUID()).json")
    try text.write(to: description, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: description) }
    return try generate(description)
  }

  private var root: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  private var openRPC: URL { root.appendingPathComponent("Protocol/openrpc.json") }

  /// Returns what `offstage generate swift` prints for a description.
  private func generate(_ description: URL) throws -> String {
    let program = URL(fileURLWithPath: Showcase.path).deletingLastPathComponent()
      .appendingPathComponent("offstage").path
    return try ChildProcess(program, ["generate", "swift", description.path]).finish().output
  }
}
