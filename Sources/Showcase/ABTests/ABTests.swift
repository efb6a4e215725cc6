/// What the app tries out: each option is one of several ways to do the same.
public struct ABTests: Codable, Hashable, Sendable {
  public var categoryRow: CategoryRowOption
  /// Whether explore asks those without an account to create one, soon after it appeared.
  public var createAccountPrompt: Bool

  public init(categoryRow: CategoryRowOption, createAccountPrompt: Bool) {
    self.categoryRow = categoryRow
    self.createAccountPrompt = createAccountPrompt
  }

  /// The app as it is where nothing is tried out.
  public static let control = ABTests(categoryRow: .original, createAccountPrompt: false)

  /// These options with those in place that were chosen by hand.
  func overridden(by overrides: ABOverrides) -> ABTests {
    ABTests(
      categoryRow: overrides.categoryRow ?? categoryRow,
      createAccountPrompt: overrides.createAccountPrompt ?? createAccountPrompt)
  }
}

/// Where explore shows its row of categories.
public enum CategoryRowOption: String, Codable, CaseIterable, Sendable {
  /// Below the featured avatars.
  case original
  case top
  case hidden
}

/// Options that were chosen by hand; nil leaves the test in force.
public struct ABOverrides: Codable, Hashable, Sendable {
  public var categoryRow: CategoryRowOption?
  public var createAccountPrompt: Bool?

  public init(categoryRow: CategoryRowOption? = nil, createAccountPrompt: Bool? = nil) {
    self.categoryRow = categoryRow
    self.createAccountPrompt = createAccountPrompt
  }
}
