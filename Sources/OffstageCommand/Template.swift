import Foundation
import OffstageHost

/// The files of a new app or screen: those in the folder `Template`, with other names.
enum Template {
  typealias File = (path: String, text: String)

  private static let folder = URL(filePath: #filePath).deletingPathExtension()

  /// Returns the package of an app with one screen.
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

  /// Returns a screen, its unit test, and its transcript.
  static func screen(_ name: ScreenName, module: String) throws -> [File] {
    let own = try ScreenName("AskName")
    return try files(
      "Screen", [(own.type, name.type), (own.kind, name.kind), ("grocery_list", module)])
  }

  /// Reads the files of a folder and replaces names in their texts and paths.
  private static func files(_ part: String, _ names: [(String, String)]) throws -> [File] {
    func renamed(_ text: String) -> String {
      names.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
    let folder = Self.folder.appending(path: part)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      // Skip build products, which are hidden, and folders, which have no extension.
      .filter { !$0.hasPrefix(".") && $0.contains(".") }
      .map { path in
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        return (renamed(path), renamed(text))
      }
  }
}

/// The name of an app, such as `books` or `issue-tracker`.
struct AppName {
  /// The name of the package and its folder: `issue-tracker`.
  let package: String
  /// The name of the module and the program: `issue_tracker`.
  let module: String
  /// The prefix for the names of types: `IssueTracker`.
  let type: String

  init(_ text: String) throws(UsageError) {
    let isValid =
      text.first.map { $0.isASCII && $0.isLowercase } == true
      && text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    guard isValid else {
      throw UsageError(
        "\"\(text)\" is not a valid app name: start with a lowercase letter, then use lowercase "
          + "letters, digits, and hyphens")
    }
    let module = text.replacing("-", with: "_")
    // A module with the name of an imported module would hide it.
    guard !["swift", "offstage", "testing", "foundation", "screen"].contains(module),
      !module.isKeyword
    else { throw UsageError("\"\(text)\" is a reserved name") }
    package = text
    self.module = module
    type = text.split(separator: "-").map(\.capitalizedFirst).joined()
  }
}

/// The name of a screen, such as `Search`.
struct ScreenName {
  let type: String
  /// The name on the wire: `issueList`.
  let kind: String

  init(_ text: String) throws(UsageError) {
    let type = text.capitalizedFirst
    let isValid =
      type.first.map { $0.isASCII && $0.isUppercase } == true
      && type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard isValid else {
      throw UsageError(
        "\"\(text)\" is not a valid screen name: start with a letter, then use letters and digits")
    }
    guard !takenNames.contains(type) else { throw UsageError("\"\(text)\" is a reserved name") }
    self.type = type
    kind = type.prefix(1).lowercased() + type.dropFirst()
  }
}

/// Names of Offstage, of the template, and of Swift: a screen of the same name would hide them.
private let takenNames = Set(
  """
  Alternative Any App Argument CInterface Child Children CivilTime Codable
  Command Console Coordinate CoreActor CoreClock CustomStringConvertible Dependencies Dialog
  Display EffectHandle Effects EmbeddedCore Empty Ended Environment Error Event Field Form
  Hashable Identifiable In Input Int Issue Item ItemError ItemStore Kept KeptSession Key Label
  LanguageTag Link Loader LocalizedText Log Meaning MemoryStore NumberContent Offstage
  OffstageHost OffstageTesting Option Out Output Package Page PageRequest Pager Part
  PendingPrompt PickedFile PictureUse Port Ports PresentationStyle PresentedScreen Program Prompt
  PromptDescription PromptError Relay Resource Result Role Route Router RowChange
  RowProvider RowState Rows Rule SavedScreen ScheduledNotification SchemaAnnotated Scope Screen
  ScreenFactory Self Sendable SessionChange SessionLease SessionStore Signal Source
  String Subscription Tab Task Test TestCore Testing TextContent Transition Trigger Type Union
  UsageError UserLocale
  """.split { $0.isWhitespace }.map(String.init))

extension StringProtocol {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
