/// The experiment variants in force.
struct ABTests: Codable, Hashable, Sendable {
  var categoryRow: CategoryRowOption
  /// True if Explore invites guests to create an account soon after it appears.
  var createAccountPrompt: Bool

  /// The variants without any experiment.
  static let control = ABTests(categoryRow: .original, createAccountPrompt: false)

  static let categoryRow = Experiment<CategoryRowOption>(
    "categoryRow", [(.original, 50), (.top, 25), (.hidden, 25)])
  static let createAccountPrompt = Experiment<Bool>(
    "createAccountPrompt", [(false, 50), (true, 50)])

  /// Returns the variants with the overrides applied.
  func overridden(by overrides: ABOverrides) -> ABTests {
    ABTests(
      categoryRow: overrides.categoryRow ?? categoryRow,
      createAccountPrompt: overrides.createAccountPrompt ?? createAccountPrompt)
  }
}

extension ABTests {
  /// Creates the variants that are assigned to an installation.
  init(installation: String) {
    self.init(
      categoryRow: Self.categoryRow.variant(for: installation),
      createAccountPrompt: Self.createAccountPrompt.variant(for: installation))
  }
}

/// An experiment with weighted variants.
struct Experiment<Variant: Sendable>: Sendable {
  let name: String
  private let variants: [(variant: Variant, weight: UInt64)]

  /// - Precondition: There is at least one variant, and no weight is 0.
  init(_ name: String, _ variants: [(Variant, UInt64)]) {
    precondition(!variants.isEmpty && variants.allSatisfy { $0.1 > 0 }, "no variant to assign")
    self.name = name
    self.variants = variants
  }

  /// Returns the variant of an installation, which is the same every time.
  func variant(for installation: String) -> Variant {
    var rest = Self.hash("\(name):\(installation)") % variants.map(\.weight).reduce(0, +)
    for (variant, weight) in variants {
      if rest < weight { return variant }
      rest -= weight
    }
    preconditionFailure("the rest is less than the sum of the weights")
  }

  /// FNV-1a with a final mix of the bits.
  private static func hash(_ text: String) -> UInt64 {
    var hash = text.utf8.fnv1a
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    return hash ^ (hash >> 33)
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
