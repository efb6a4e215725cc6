/// The variants of the experiments that are in force.
struct ABTests: Codable, Hashable, Sendable {
  var categoryRow: CategoryRowOption
  /// True if explore invites a guest to create an account soon after it appeared.
  var createAccountPrompt: Bool

  /// The variants without any experiment.
  static let control = ABTests(categoryRow: .original, createAccountPrompt: false)

  /// Returns the variants with the overrides applied.
  func overridden(by overrides: ABOverrides) -> ABTests {
    ABTests(
      categoryRow: overrides.categoryRow ?? categoryRow,
      createAccountPrompt: overrides.createAccountPrompt ?? createAccountPrompt)
  }
}

/// The position of the row of categories.
enum CategoryRowOption: String, Codable, CaseIterable, Sendable {
  /// Below the featured avatars.
  case original
  case top
  case hidden
}

/// Variants chosen by hand; nil keeps the assigned one.
struct ABOverrides: Codable, Hashable, Sendable {
  var categoryRow: CategoryRowOption?
  var createAccountPrompt: Bool?
}
