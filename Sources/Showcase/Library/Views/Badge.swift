/// A small sign on a poster.
public struct Badge: Codable, Hashable, Sendable {
  /// What it looks like, not what it stands for: that only mappers know.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case star
    case play
  }

  public let kind: Kind

  static let star = Badge(kind: .star)
  static let play = Badge(kind: .play)
}
