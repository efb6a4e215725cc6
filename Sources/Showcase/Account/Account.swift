package import Offstage

/// Stores accounts, one for each address. They are profiles on this device: there is no password.
package protocol AccountRepository: Sendable {
  /// Returns the account of an address. An unknown address gets a new account, and with it
  /// everything that the guest has made.
  /// - Throws: `LoadFailure`. So do the methods below.
  func signUp(name: String, email: String) async throws -> Account

  /// Saves a name and picture.
  func update(_ account: Account, name: String, picture: AvatarCategory) async throws -> Account

  /// Deletes an account with its avatars, chats, bookmarks, progress and settings.
  func delete(_ account: Account) async throws
}

/// A person's account on this device.
package struct Account: Codable, Hashable, Sendable {
  package let id: Int
  package let name: String
  package let email: String
  /// The style of its image.
  package let picture: AvatarCategory
  /// A URL that opens without the network.
  package let image: String

  package init(
    id: Int, name: String, email: String, picture: AvatarCategory = .travelers,
    image: String = FallbackImage.url
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.picture = picture
    self.image = image
  }
}

extension Account: SchemaAnnotated {
  package static var meanings: [PartialKeyPath<Self>: Meaning] { [\.image: .picture] }
}

/// Stores which account is signed in.
package protocol SessionRepository: Sendable {
  /// Returns the signed-in account; nil for a guest.
  /// - Throws: `LoadFailure`, or `CancellationError`. So do the methods below.
  func account() async throws -> Account?

  /// - Parameter account: an account from the account repository.
  func signIn(_ account: Account) async throws

  func signOut() async throws
}

/// Stores small values by name.
package protocol SettingsRepository: Sendable {
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func setting(_ name: String, of scope: SettingScope) async throws -> String?

  /// Returns the random id of this installation, the same for every account.
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func installationID() async throws -> String

  /// - Parameter value: nil to delete the setting.
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func set(_ name: String, to value: String?, of scope: SettingScope) async throws
}

/// The owner of a setting.
package enum SettingScope: Sendable {
  /// All accounts of this device.
  case device
  /// The signed-in account, or the guest.
  case account
}

/// A name as a person types it.
enum NameField {
  /// The maximum length, in Unicode scalars.
  static let limit = 80

  /// Returns the name without white space around it.
  /// - Throws: `Invalid`.
  static func name(from text: String) throws(Invalid) -> String {
    let scalars = text.unicodeScalars.drop(while: \.properties.isWhitespace)
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    guard let end else { throw .empty }
    let name = String(scalars[...end])
    if name.unicodeScalars.count > limit { throw .tooLong }
    return name
  }

  /// The reason that a name cannot be saved.
  enum Invalid: String, Error, Codable, CaseIterable {
    case empty, tooLong

    /// The message beside the field.
    func message(_ words: any Words) -> String {
      switch self {
      case .empty: words.nameIsEmpty
      case .tooLong: words.nameIsTooLong(limit: NameField.limit)
      }
    }
  }
}
