import Offstage

/// Every text that a person reads, and every name of the built-in data, in one language.
///
/// Each language is a type, so a missing translation does not compile. A text with arguments is a
/// function, which forms plurals and attaches particles as its language does.
protocol Words: Sendable {
  /// The subtag of the language, such as `ko`.
  var code: String { get }

  /// The label of a screen (`map`), a port (`map.sortBy`) or a choice (`PlaceSort.distance`); nil to
  /// derive it from the name.
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
  /// Why, and what to do, in one or two sentences.
  func advice(_ reason: LoadFailure.Reason) -> String
  /// Why the device did not do what it was asked, and what to do.
  var deviceRefused: String { get }

  // MARK: Questions
  var signOut: Question { get }
  var deleteAccount: Question { get }
  var clearChat: Question { get }
  var discard: Question { get }
  var enablePush: Question { get }
  var createAccount: (title: String, subtitle: String) { get }

  // MARK: Chats
  func deletedChat(_ name: String) -> String

  // MARK: Fields
  var nameIsEmpty: String { get }
  func nameIsTooLong(limit: Int) -> String

  // MARK: Reminders
  var reminder: String { get }
  /// One text for each of seven days.
  var reminders: [String] { get }

  // MARK: The map
  /// A category of places, such as `train_station`.
  func placeCategory(_ id: String) -> String
  /// Something that a place's source says about it, such as `opening_hours`.
  func placeProperty(_ id: String) -> String
  var openingHours: OpeningHours { get }
  func placeName(_ place: Place) -> String
  /// The other name of a place, if it has one.
  func otherPlaceName(_ place: Place) -> String?

  // MARK: Avatars
  /// The name and description of a built-in avatar; nil for its own.
  func avatar(_ id: String) -> (name: String, description: String)?

  // MARK: Pokémon
  func pokemon(_ name: String, number: Int) -> String
  func pokemonType(_ id: String) -> String
  func generation(_ number: Int) -> String
  /// The forms whose species is unknown.
  var otherForms: String { get }

  // MARK: The library
  /// The name and the credit (director, network, equipment) of a built-in title; nil for its own.
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
  /// A number with the symbol of its unit, such as `km`.
  func measure(_ number: String, _ unit: String) -> String
  func date(_ date: CivilTime) -> String
  func dateAndTime(_ date: String, _ time: String) -> String
  /// A date of the current year.
  func dayOfYear(_ date: CivilTime) -> String
  func timeOfDay(_ time: CivilTime) -> String
  func weekday(_ date: CivilTime) -> String
  var yesterday: String { get }
  var justNow: String { get }
  func minutesAgo(_ count: Int) -> String
}

extension Words {
  /// The title of what has a label; derived from the last part of the key if it has none.
  func title(of key: String) -> String {
    let name = key.split(separator: ".").last.map(String.init) ?? key
    return label(key)?.title ?? Label(derivedFrom: name).title
  }

  /// Says as a sentence that an attempt has failed.
  func failed(_ attempt: Attempt) -> String { title(of: "Attempt.\(attempt)") }
  func category(_ category: AvatarCategory) -> String { title(of: "AvatarCategory.\(category)") }
  func direction(_ direction: CompassPoint) -> String { title(of: "CompassPoint.\(direction)") }
  func place(_ place: Hobby.Place) -> String { title(of: "HobbyPlace.\(place)") }
}

/// A question before something that cannot be undone.
struct Question: Hashable, Sendable {
  let title: String
  let message: String
  /// The button that agrees.
  let action: String
}

/// Something that the app tried to do for a person.
enum Attempt: String, CaseIterable, Sendable {
  case loadPlaces, loadPlace, searchPlaces
  case loadAvatars
  case loadChats, loadChat
  case loadPokemonList, loadPokemon, searchPokemon
  case loadLibrary, loadTitle, saveBookmark, saveProgress
  case loadProfile, signUp

  /// True for something that the person has chosen, such as one place.
  var isChoice: Bool {
    switch self {
    case .loadPlace, .loadChat, .loadPokemon, .loadTitle: true
    case .loadPlaces, .searchPlaces, .loadAvatars, .loadChats, .loadPokemonList, .searchPokemon,
      .loadLibrary, .saveBookmark, .saveProgress, .loadProfile, .signUp:
      false
    }
  }
}

/// The eight main points of the compass, clockwise from north.
package enum CompassPoint: String, Codable, CaseIterable, Sendable {
  case north, northEast, east, southEast, south, southWest, west, northWest
}
