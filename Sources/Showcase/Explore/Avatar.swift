package import Offstage

/// A character to chat with.
package struct Avatar: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  /// Unique and never reused, such as `mina`.
  package let id: String
  package let name: String
  package let category: AvatarCategory
  /// One sentence about the character; replies are written in its voice.
  package let description: String
  /// A URL that opens without the network.
  package let image: String

  package init(id: String, name: String, category: AvatarCategory, description: String) {
    self.id = id
    self.name = name
    self.category = category
    self.description = description
    image = Tile.portrait(name, category)
  }

  package static var meanings: [PartialKeyPath<Self>: Meaning] { [\.image: .picture] }
}

/// The kind of a character.
package enum AvatarCategory: String, Codable, CaseIterable, Sendable {
  case cooks, travelers, scientists, artists, animals, machines
}

/// Loads and creates avatars.
package protocol AvatarRepository: Sendable {
  /// Returns the avatars that the makers of the app recommend.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was canceled. So do all
  ///   methods below.
  func featured() async throws -> [Avatar]

  /// Fetches the popular avatars, most popular first.
  func popular() -> Fetch<[Avatar]>

  /// Returns all avatars of a category.
  func avatars(in category: AvatarCategory) async throws -> [Avatar]

  /// Returns one avatar.
  /// - Throws: Also `LoadFailure` (`notFound`) for an unknown id.
  func avatar(id: String) async throws -> Avatar

  /// Returns the avatars that the user created, newest first.
  func created() async throws -> [Avatar]

  /// Saves a new avatar with a new id and an image.
  func create(name: String, category: AvatarCategory, description: String) async throws -> Avatar
}

extension In<String> {
  /// Opens the chat with an avatar by its id.
  /// - Parameters:
  ///   - lists: The avatars on the screen.
  ///   - event: Returns the event to track for an id and name.
  func openChat(
    withOneOf lists: [Rows<Avatar>], _ tracker: any EventTracker,
    as event: @escaping (String, String) -> any LoggableEvent,
    show: @escaping (ChatDelegate) -> Void
  ) {
    expect("the id of an avatar") { id in lists.contains { $0[id] != nil } }
    observe { id in
      guard let avatar = lists.lazy.compactMap({ $0[id] }).first else { return }
      tracker.trackEvent(event(avatar.id, avatar.name))
      show(ChatDelegate(avatarId: avatar.id))
    }
  }
}
