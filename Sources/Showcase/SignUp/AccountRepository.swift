/// What the sign-up form needs to know of the world.
public protocol AccountRepository: Sendable {
  /// Keeps a new account and gives it an id.
  /// - Throws: `LoadFailure` when it could not be kept.
  func create(name: String, email: String) async throws -> Account
}

/// A person who signed up.
public struct Account: Codable, Hashable, Sendable {
  public var id: Int
  public var name: String
  public var email: String

  public init(id: Int, name: String, email: String) {
    self.id = id
    self.name = name
    self.email = email
  }
}
