/// An option of a program's command line.
public struct Option: Sendable {
  /// With its dashes taken off: `pokeapi` is given as `--pokeapi URL` or `--pokeapi=URL`.
  public let name: String
  /// What its value is called in the help; nil for one that is only there or not.
  public let value: String?
  /// One line of help.
  public let help: String

  /// - Parameters:
  ///   - name: without its dashes.
  ///   - value: what its value is called in the help; nil for one that is only there or not.
  ///   - help: one line.
  public init(_ name: String, _ value: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }
}
