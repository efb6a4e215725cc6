import Foundation
import Testing

@testable import OffstageCommand

@Suite struct TemplateTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardized

  /// The code of the Swift files of a folder, without its comments and texts.
  private static func code(of folder: String) throws -> String {
    let folder = sources.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .joined(separator: "\n").replacing(/"[^"\n]*"|\/\/.*/, with: "")
  }

  @Test func screenHasNoNameThatTheTemplateUses() throws {
    let code = try Self.code(of: "OffstageCommand/Template")
    var names = Set(code.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
    // The template's own screens and tests, whose files exist or are in a module above.
    names.subtract(["AskName", "Home", "GroceryListApp", "BrokenStore", "PackageDescription"])
    names = names.filter { !$0.hasSuffix("Tests") }
    #expect(names.isSuperset(of: ["ScreenFactory", "MemoryStore", "TestCore", "Int"]))
    #expect(names.filter { (try? ScreenName($0)) != nil }.sorted() == [])
  }

  @Test func screenHasNoNameOfAPublicType() throws {
    let declaration =
      /\n(?:@\w+ )*public (?:final |indirect )*(?:class|struct|enum|protocol|actor|typealias) (\w+)/
    for layer in ["Offstage", "OffstageHost", "OffstageTesting"] {
      let names = try Self.code(of: layer).matches(of: declaration).map { String($0.1) }
      #expect(!names.isEmpty)
      #expect(names.filter { (try? ScreenName($0)) != nil }.sorted() == [], "\(layer)")
    }
  }

  @Test(arguments: ["Search", "IssueList", "Milk"]) func otherNamesAreFree(name: String) throws {
    #expect(try ScreenName(name).type == name)
  }
}
