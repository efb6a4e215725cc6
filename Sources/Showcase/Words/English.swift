import Offstage
import OffstageWords

struct English: Words {
  /// The region whose spelling applies; nil for the United States, as in CLDR.
  var region: String?

  let code = "en"

  func label(_ key: String) -> Label? { LabelTable.english[key] }

  let ok = "OK"
  let cancel = "Cancel"
  let save = "Save"
  let leave = "Leave"
  let stay = "Stay"

  let error = "Error"

  let deviceRefused = "Your device didn't allow this. Check its settings and try again."
  let deviceUnsupported = "This isn't available on your device."

  let signOut = Question(
    title: "Sign out?",
    message:
      "Your account stays on this device. Sign up with the same email address to get back in.",
    action: "Sign out")
  let deleteAccount = Question(
    title: "Delete your account?",
    message: "This also deletes your avatars, chats, bookmarks, and settings.", action: "Delete")
  let clearChat = Question(
    title: "Clear this chat?", message: "All messages in it will be deleted.", action: "Clear")
  let discard = Question(
    title: "Discard changes?", message: "Your changes won't be saved.", action: "Discard")
  let enablePush = Question(
    title: "Enable push notifications?", message: "We'll send you reminders and updates!",
    action: "Enable")
  let createAccount = (
    title: "Create an account?", subtitle: "Save your avatars and chats to your account."
  )

  let noChats = "No chats yet. Pick someone in Explore, and say hello."
  func deletedChat(_ name: String) -> String { "\(name)'s chat was deleted" }

  let nameIsEmpty = "Enter a name."
  let emailIsMissing = "Enter an email address."
  func nameIsTooLong(limit: Int) -> String { "Use at most \(limit) characters." }

  let reminder = "Time to chat"
  let reminders = [
    "Say hello to someone new.", "Your avatars have been waiting.", "It's a good day for a chat.",
    "Ask someone a question.", "There's more to explore.",
    "Someone would like to hear from you.",
    "It's been a week! How is everyone?",
  ]

  let welcome = """
    Welcome! Find places around Seoul on this map, chat with characters in Explore, and look through the \
    Pokédex and the library. Everything works offline, and stays on your device.
    """
  let noPlaces = "There are no places here."
  let locationReason = "To show what is near you, the map needs your location."
  func searchResults(for text: String) -> String { "Results for “\(text)”" }
  func placeCategory(_ id: String) -> String {
    // OpenStreetMap's categories are in British English.
    let spelling = isAmerican ? ["centre": "center", "theatre": "theater"] : [:]
    let words = id.split(separator: "_").map { spelling[String($0)] ?? String($0) }
    return Self.sentence(words.joined(separator: " "))
  }
  func placeProperty(_ id: String) -> String {
    if id == "addr:full" { return "Address" }
    if id == "iata" { return "Airport code" }
    let isPart = id.hasPrefix("addr:") || id.hasPrefix("contact:")
    return Self.sentence(isPart ? String(id.drop { $0 != ":" }.dropFirst()) : id)
  }
  let openingHours = OpeningHours.english
  func placeName(_ place: Place, _ format: Format) -> String {
    if !place.name.isEmpty { return place.name }
    let category = place.category == "other" ? "Place" : placeCategory(place.category)
    guard let landmark = place.landmark else { return category }
    if landmark.isNear { return "\(category) near \(landmark.name)" }
    return "\(category) \(format.distance(meters: landmark.distance)) from \(landmark.name)"
  }
  func otherPlaceName(_ place: Place) -> String? { place.localName }

  /// Turns a name from the data into words: `train_station` becomes `Train station`.
  static func sentence(_ id: String) -> String {
    id.split { "_-: ".contains($0) }.joined(separator: " ")[...].capitalizedWord
  }

  func avatar(_ id: String) -> (name: String, description: String)? { nil }

  func pokemonWord(_ id: String) -> String { id[...].capitalizedWord }
  func pokemonType(_ id: String) -> String { Self.sentence(id) }
  func generation(_ number: Int) -> String { "Generation \(number)" }
  let otherForms = "Other forms"

  func title(_ key: String) -> (name: String, credit: String)? { nil }

  let bookmarked = "Bookmarked"
  let yes = "Yes"
  let no = "No"
  func minutes(_ count: Int) -> String { "\(count) min" }
  func minutesLeft(_ count: Int) -> String { "\(count) min left" }
  func episodesLeft(_ count: Int, of all: Int) -> String {
    plural(all, one: "\(count) of # episode left", other: "\(count) of # episodes left")
  }

  func leaveRoom(_ label: String) -> String { "Leave \(label)?" }
  func roomFinished(_ label: String, _ result: String) -> String { "\(label) finished: \(result)" }
  func roomDismissed(_ label: String) -> String { "\(label) dismissed" }
  let nameTheRoom = "What should it be called?"
  let name = "Name"

  // CLDR 46, common/main/en.xml: units.
  func measure(_ number: String, _ unit: String) -> String { "\(number) \(unit)" }

  private var isAmerican: Bool { region == nil || region == "US" }
}

extension Substring {
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
