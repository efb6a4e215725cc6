/// Somebody to talk to.
public struct Avatar: Identifiable, Codable, Hashable, Sendable {
  /// Never used for anybody else, such as `mina`.
  public let id: String
  public let name: String
  public let category: AvatarCategory
  /// One sentence on who that is; a reply is given in this character.
  public let description: String
  /// A URL that opens without the network.
  public let image: String

  public init(
    id: String, name: String, category: AvatarCategory, description: String, image: String
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.description = description
    self.image = image
  }
}

/// What kind of somebody.
public enum AvatarCategory: String, Codable, CaseIterable, Sendable {
  case cooks, travellers, scientists, artists, animals, machines

  /// As a person reads it.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
