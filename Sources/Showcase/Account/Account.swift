/// Creates accounts.
public protocol AccountRepository: Sendable {
  /// Saves a new account with a new id.
  /// - Throws: `LoadFailure`.
  func create(name: String, email: String) async throws -> Account
}

/// A person's account on this device.
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

/// Stores which account is signed in.
public protocol SessionRepository: Sendable {
  /// Returns the signed-in account; nil for a guest.
  /// - Throws: `LoadFailure`, or `CancellationError`. So do the methods below.
  func account() async throws -> Account?

  /// - Parameter account: an account from the account repository.
  func signIn(_ account: Account) async throws

  func signOut() async throws
}

/// Stores small values by name.
public protocol SettingsRepository: Sendable {
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func setting(_ name: String) async throws -> String?

  /// - Parameter value: nil to delete the setting.
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func set(_ name: String, to value: String?) async throws
}
