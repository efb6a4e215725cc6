/// The kinds of view that a shelf can show its titles in; each has a contract of its own.
public enum CardStyle: String, Codable, CaseIterable, Sendable {
  case poster
  case thumbnail
}
