/// What screens need of the world: an explicit value that the app's composition fills in and a test
/// overrides.
/// ```swift
/// extension Dependencies.Key<any AccountRepository> {
///   static let accounts = Self("accounts")
/// }
/// dependencies.set(.accounts, to: SQLiteAccountRepository(database))
/// ```
public struct Dependencies: Sendable {
  /// The name and type of a dependency.
  public struct Key<Value: Sendable>: Sendable {
    /// What an error calls it; two keys of one name are one dependency.
    public let name: String

    /// A key; declare it once, as a static constant.
    public init(_ name: String) { self.name = name }
  }

  private var values: [String: any Sendable] = [:]

  /// Nothing is set yet.
  public init() {}

  /// Sets a dependency, or overrides the one before.
  public mutating func set<Value: Sendable>(_ key: Key<Value>, to value: Value) {
    values[key.name] = value
  }

  /// - Throws: `DependencyError` that names a key nobody has set. There are no silent defaults: a
  ///   test that forgets an override fails with the name of what it forgot.
  public subscript<Value: Sendable>(key: Key<Value>) -> Value {
    get throws {
      // In two steps: nil would pass for a dependency that is optional.
      guard let stored = values[key.name], let value = stored as? Value else {
        throw DependencyError(key: key.name)
      }
      return value
    }
  }
}

/// A dependency that nobody has set, or that is of another type than its key says.
public struct DependencyError: Error, Hashable, CustomStringConvertible {
  /// The name of the key.
  public let key: String

  /// What is missing and where to set it.
  public var description: String {
    "The dependency \"\(key)\" is not set. Set it where the app is composed, or override it in the "
      + "test."
  }
}
