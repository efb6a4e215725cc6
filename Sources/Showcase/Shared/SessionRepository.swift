/// Who is signed in on this device.
public protocol SessionRepository: Sendable {
  /// - Throws: `LoadFailure`, or `CancellationError`; so do all.
  func account() async throws -> Account?

  /// - Parameter account: one that the account repository has created.
  func signIn(_ account: Account) async throws

  func signOut() async throws
}
