package import Offstage

/// Stores accounts, one per email address, and which of them is signed in. An account is a local profile
/// without a password.
package protocol AccountRepository: Sendable {
  /// Signs in to the account with an email address. A new address gets a new account, which takes
  /// over everything that the guest has created. Saves everything or nothing.
  func signUp(name: String, email: String, as owner: Owner) async throws -> Account

  /// Returns the signed-in account, or nil for a guest.
  func account() async throws -> Account?

  func signOut(_ account: Account) async throws

  /// Saves the name and picture of the signed-in account.
  func update(_ account: Account, name: String, picture: AvatarCategory) async throws -> Account

  /// Deletes the signed-in account with its avatars, chats, bookmarks, progress, and settings.
  func delete(_ account: Account) async throws
}

/// An account on this device.
package struct Account: Codable, Hashable, Sendable, SchemaAnnotated {
  package let id: Int
  package let name: String
  package let email: String
  /// The style of its image.
  package let picture: AvatarCategory
  /// A URL that opens without the network.
  package let image: String

  package init(id: Int, name: String, email: String, picture: AvatarCategory = .travelers) {
    self.id = id
    self.name = name
    self.email = email
    self.picture = picture
    image = Portrait(name, picture).uri
  }

  package static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.email: .subtitle, \.picture: .hidden, \.image: .picture(.avatar)]
  }
}

/// The account, or the guest, to whom stored data belongs.
///
/// Several processes share a database, and any of them may sign in or out. So everything that is
/// read or written for a user names the owner whom the screen shows. It fails with `LoadFailure`
/// (`accountChanged`) if another one is signed in by then.
package enum Owner: Hashable, Sendable {
  case guest
  case account(Int)
  /// The one who is signed in, while the app does not know yet who that is.
  case signedIn
  /// The device, whoever is signed in.
  case device
}

/// Stores small values by name.
package protocol SettingsRepository: Sendable {
  /// Returns the values that are set, by name.
  func values(as owner: Owner) async throws -> [String: String]

  /// Returns the random id of this installation, the same for every account.
  func installationID() async throws -> String

  /// Returns the time of the app's first start on this device, since 1970. Notes `now` on that start.
  func firstStart(now: Duration) async throws -> Duration

  /// Sets a value; nil deletes it.
  func set(_ name: String, to value: String?, as owner: Owner) async throws
}

/// The name of an account or an avatar as the user types it.
enum NameField {
  /// The maximum length, in Unicode scalars.
  static let limit = 80

  /// Returns the name without white space around it; nil if it is empty or too long.
  static func name(from text: String) -> String? {
    let scalars = text.unicodeScalars.drop(while: \.properties.isWhitespace)
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    guard let end, case let name = scalars[...end], name.count <= limit else { return nil }
    return String(name)
  }
}

extension Rule where Value: TextContent {
  /// Requires a character other than white space.
  static var nameRequired: Self { .required(.words { $0.nameIsEmpty }) }

  /// Allows at most `NameField.limit` characters.
  static var nameLength: Self {
    .length(...NameField.limit, .words { $0.nameIsTooLong(limit: NameField.limit) })
  }
}
