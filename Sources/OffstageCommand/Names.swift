/// The name of an app, such as `books` or `issue-tracker`.
struct AppName {
  /// The name of the package, its folder, and the program: `issue-tracker`.
  let package: String
  /// The name of the module: `issue_tracker`.
  let module: String
  /// The start of the names of types: `IssueTracker`.
  let type: String

  /// - Throws: `UsageError` for a name that is not one of a program and of a Swift module.
  init(_ text: String) throws(UsageError) {
    let isValid =
      text.first.map { $0.isASCII && $0.isLowercase } == true
      && text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    guard isValid else {
      throw UsageError(
        "\"\(text)\" is not the name of an app: use lowercase letters, digits, and hyphens")
    }
    let module = text.replacing("-", with: "_")
    // A module with the name of one that the app imports would hide it.
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
  /// The name of the type: `IssueList`.
  let type: String
  /// The name on the wire: `issueList`.
  let kind: String

  /// - Throws: `UsageError` for a name that is not one of a Swift type.
  init(_ text: String) throws(UsageError) {
    let type = text.capitalizedFirst
    let isValid =
      type.first.map { $0.isASCII && $0.isUppercase } == true
      && type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard isValid else {
      throw UsageError("\"\(text)\" is not the name of a screen: use letters and digits")
    }
    guard !takenNames.contains(type) else { throw UsageError("\"\(text)\" is a reserved name") }
    self.type = type
    kind = type.prefix(1).lowercased() + type.dropFirst()
  }
}

/// Types of the generated code, of Offstage, and of Swift: a screen of the same name would hide them.
private let takenNames: Set = [
  "Any", "App", "Argument", "Command", "Dependencies", "Dialog", "Effects", "Empty", "Environment",
  "Error", "Event", "Field", "Form", "In", "Input", "Item", "Label", "Link", "Loader", "Option",
  "Out", "Outcome", "Output", "Page", "Pager", "Ports", "Program", "Prompt", "Prompts", "Relay",
  "Result", "Role", "Route", "Router", "Rows", "Rule", "Scope", "Screen", "Self", "Signal",
  "String", "Tab", "Tabs", "Task", "Trigger", "Type", "Union",
]

extension StringProtocol {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
