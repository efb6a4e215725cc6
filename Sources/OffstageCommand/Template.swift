import Foundation

/// The files of a new app, and those of a new screen: an app of the folder `Template`, with other names.
enum Template {
  typealias File = (path: String, text: String)

  private static let folder = URL(filePath: #filePath).deletingPathExtension()

  /// The package of an app with one screen.
  /// - Parameter offstage: The path of the package Offstage.
  static func app(_ name: AppName, offstage: String) throws -> [File] {
    let own = try AppName("grocery-list")
    return [(".gitignore", ".build/\n")]
      + (try files(
        "App",
        [
          (own.package, name.package), (own.module, name.module), (own.type, name.type),
          ("../../../..", offstage),
        ]))
  }

  /// A screen, its unit test, and its transcript.
  static func screen(_ name: ScreenName, module: String) throws -> [File] {
    let own = try ScreenName("AskName")
    return try files(
      "Screen", [(own.type, name.type), (own.kind, name.kind), ("grocery_list", module)])
  }

  /// Reads the files of a folder, and replaces names in their texts and paths.
  private static func files(_ part: String, _ names: [(String, String)]) throws -> [File] {
    func renamed(_ text: String) -> String {
      names.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
    let folder = Self.folder.appending(path: part)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      // What is built in place is hidden, and folders have no extension.
      .filter { !$0.hasPrefix(".") && $0.contains(".") }
      .map { path in
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        return (renamed(path), renamed(text))
      }
  }
}
