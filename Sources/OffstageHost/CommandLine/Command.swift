import Offstage

/// A command of a program's own, beside those that every program has.
/// ```swift
/// Command("import places", arguments: ["FILE"], help: "take over the places of a file") {
///   environment, words, console in
///   console.say("Imported \(try await importPlaces(from: words[0], environment)) places.")
/// }
/// ```
public struct Command: Sendable {
  /// Does what the command is for.
  /// - Parameter words: one for each of the command's arguments.
  /// - Throws: what went wrong, for a person; the program then exits with 1.
  public typealias Action =
    @CoreActor @Sendable (_ environment: Environment, _ words: [String], _ console: Console)
    async throws -> Void

  /// One word or several, such as `import places`.
  public let name: String
  /// What its arguments are called in the help.
  public let arguments: [String]
  /// One line of help.
  public let help: String
  let action: Action

  /// - Parameters:
  ///   - name: one word or several.
  ///   - arguments: what its arguments are called in the help.
  ///   - help: one line.
  ///   - action: what it does; what it throws is told, and ends the program with status 1.
  public init(
    _ name: String, arguments: [String] = [], help: String, action: @escaping Action
  ) {
    self.name = name
    self.arguments = arguments
    self.help = help
    self.action = action
  }

  /// How it is called: its name and its arguments.
  var usage: String { ([name] + arguments).joined(separator: " ") }

  var nameWords: [String] { name.split(separator: " ").map(String.init) }
}
