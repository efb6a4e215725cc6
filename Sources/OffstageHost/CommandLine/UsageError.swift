/// A command line that makes no sense. Thrown where an app is composed or a command runs, it ends the
/// program with status 2; every other error does with 1.
public struct UsageError: Error, CustomStringConvertible {
  /// What is wrong with it and what to do, for a person.
  public let description: String

  /// - Parameter description: one or two whole sentences.
  public init(_ description: String) { self.description = description }
}
