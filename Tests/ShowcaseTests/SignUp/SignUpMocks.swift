import Offstage
import Showcase

/// Accounts that are created when the test says so.
final class MockAccounts: AccountRepository {
  struct Creation: Equatable { var name: String, email: String }

  let creations = Asked<Creation, Account>()

  func create(name: String, email: String) async throws -> Account {
    try await creations(Creation(name: name, email: email))
  }
}

/// Notes what the form asked its coordinator for.
@CoreActor
final class MockSignUpCoordinator: SignUpCoordinator {
  private(set) var calls: [String] = []

  func closeSignUp() { calls.append("closeSignUp was called") }
}
