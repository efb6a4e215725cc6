import Offstage

/// The app's text in one language.
///
/// Each language is a type, so a missing text does not compile. A text with arguments is a
/// function, which forms plurals and attaches particles as its language requires. Labels and the
/// messages of failures are in `LabelTable`.
protocol Words: Sendable {
  /// The subtag of the language, such as `ko`.
  var code: String { get }

  /// Returns the label of a screen (`map`), a port (`map.sortBy`), or a choice
  /// (`PlaceSort.distance`); nil to derive it from the name.
  func label(_ key: String) -> Label?

  // MARK: Buttons
  var ok: String { get }
  var cancel: String { get }
  var save: String { get }
  var leave: String { get }
  var stay: String { get }

  var yes: String { get }
  var no: String { get }

  // MARK: Alerts
  var error: String { get }
  /// The message for a prompt that the device has refused.
  var deviceRefused: String { get }
  /// The message for a prompt that the device does not support.
  var deviceUnsupported: String { get }

  // MARK: Questions
  var signOut: Question { get }
  var deleteAccount: Question { get }
  var clearChat: Question { get }
  var discard: Question { get }
  var enablePush: Question { get }
  var createAccount: (title: String, subtitle: String) { get }

  // MARK: Chats
  /// How to start the first chat.
  var noChats: String { get }
  func deletedChat(_ name: String) -> String

  // MARK: Fields
  var nameIsEmpty: String { get }
  var emailIsMissing: String { get }
  func nameIsTooLong(limit: Int) -> String

  // MARK: Reminders
  var reminder: String { get }
  /// One text for each of seven days.
  var reminders: [String] { get }

  // MARK: The map
  /// What the app is for.
  var welcome: String { get }
  /// There are no places in the visible part of the map.
  var noPlaces: String { get }
  /// Why the map asks for the user's location.
  var locationReason: String { get }
  func searchResults(for text: String) -> String
  /// Returns the title of a category of places, such as `train_station`.
  func placeCategory(_ id: String) -> String
  /// Returns the title of a property of a place, such as `opening_hours`.
  func placeProperty(_ id: String) -> String
  var openingHours: OpeningHours { get }
  /// Returns a place's name, or its category and the nearest named place.
  func placeName(_ place: Place, _ format: Format) -> String
  /// Returns a place's name in another language, if known.
  func otherPlaceName(_ place: Place) -> String?

  // MARK: Avatars
  /// Returns the name and description of a built-in avatar; nil if the data is in this language.
  func avatar(_ id: String) -> (name: String, description: String)?

  // MARK: Pokémon
  /// Returns one word of a name from the API, such as `mega`.
  func pokemonWord(_ id: String) -> String
  func pokemonType(_ id: String) -> String
  func generation(_ number: Int) -> String
  /// The title of the forms whose species is unknown.
  var otherForms: String { get }

  // MARK: The library
  /// Returns the name and the credit (director, network, or equipment) of a built-in title; nil if
  /// the data is in this language.
  func title(_ key: String) -> (name: String, credit: String)?
  var bookmarked: String { get }
  func minutes(_ count: Int) -> String
  func minutesLeft(_ count: Int) -> String
  func episodesLeft(_ count: Int, of all: Int) -> String

  // MARK: The gallery
  func leaveRoom(_ label: String) -> String
  func roomFinished(_ label: String, _ result: String) -> String
  func roomDismissed(_ label: String) -> String
  var nameTheRoom: String { get }
  var name: String { get }

  // MARK: Numbers, dates, and times
  /// Returns a number with the symbol of its unit, such as `km`.
  func measure(_ number: String, _ unit: String) -> String
}

extension Words {
  /// Returns the title of a label, or one derived from the last part of the key if there is none.
  func title(of key: String) -> String {
    let name = key.split(separator: ".").last.map(String.init) ?? key
    return label(key)?.title ?? Label(derivedFrom: name).title
  }

  /// Returns a sentence that says what failed.
  func failed(_ attempt: Attempt) -> String { title(of: "Attempt.\(attempt)") }
  /// Returns the cause of a failure and what to do, in one or two sentences.
  func advice(_ reason: LoadFailure.Reason) -> String { title(of: "Advice.\(reason)") }
  func advice(_ remedy: LoadFailure.Remedy) -> String { title(of: "Advice.\(remedy)") }
  func category(_ category: AvatarCategory) -> String { title(of: "AvatarCategory.\(category)") }
  func direction(_ direction: CompassPoint) -> String { title(of: "CompassPoint.\(direction)") }
  func place(_ place: Hobby.Place) -> String { title(of: "HobbyPlace.\(place)") }
}

/// A question to confirm an action.
struct Question: Hashable, Sendable {
  let title: String
  let message: String
  /// The title of the button that confirms.
  let action: String
}

/// Something that the app tried to do for the user.
enum Attempt: String, CaseIterable, Sendable {
  case loadPlaces, loadPlace, searchPlaces
  case loadAvatars
  case loadChats, loadChat
  case loadPokemonList, loadPokemon, searchPokemon, loadPictures
  case loadLibrary, loadTitle, saveBookmark, saveProgress
  case loadProfile, signUp

  /// True if it loads something that the user chose, such as one place.
  var isChoice: Bool {
    switch self {
    case .loadPlace, .loadChat, .loadPokemon, .loadTitle: true
    case .loadPlaces, .searchPlaces, .loadAvatars, .loadChats, .loadPokemonList, .searchPokemon,
      .loadPictures, .loadLibrary, .saveBookmark, .saveProgress, .loadProfile, .signUp:
      false
    }
  }
}
