import Offstage

/// A command that a program adds to the standard ones.
/// ```swift
/// Command("import places", arguments: ["FILE"], help: "import the places of a file") {
///   environment, arguments, console in
///   console.print("Imported \(try await importPlaces(from: arguments[0], environment)) places.")
/// }
/// ```
public struct Command: Sendable {
  /// - Parameter arguments: A value for each of the command's arguments.
  /// - Throws: Any error; its description is printed and the program exits with 1.
  public typealias Action =
    @CoreActor @Sendable (_ environment: Environment, _ arguments: [String], _ console: Console)
    async throws -> Void

  /// One or several words, such as `import places`.
  public let name: String
  /// The placeholders of its arguments in the help.
  public let arguments: [String]
  /// One line of help.
  public let help: String
  let action: Action

  /// - Parameters:
  ///   - name: One or several words.
  ///   - arguments: The placeholders of its arguments in the help.
  ///   - help: One line.
  ///   - action: The work. If it throws an error, the program prints it and exits with 1.
  public init(
    _ name: String, arguments: [String] = [], help: String, action: @escaping Action
  ) {
    self.name = name
    self.arguments = arguments
    self.help = help
    self.action = action
  }

  var usage: String { ([name] + arguments).joined(separator: " ") }

  var words: [String] { name.split(separator: " ").map(String.init) }
}
