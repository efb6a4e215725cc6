import OffstageJSON

/// What a restart may change, by name. The walk counts each use.
enum RestartRule {
  /// A prompt that is not asked again. It counts as dismissed by the user.
  struct OfPrompts: Sendable {
    let name: String
    let allows: @Sendable (_ prompt: JSON) -> Bool
  }

  /// A value that differs.
  struct OfValues: Sendable {
    let name: String
    let allows: @Sendable (_ difference: Difference, _ document: JSON) -> Bool
  }

  static let ofPrompts = [
    OfPrompts(name: "the device is not asked again: the user asks again") {
      isOfDevice($0)
    },
    OfPrompts(name: "a question before leaving is not asked again: the user leaves again") {
      $0["kind"]?.string == "confirmationDialog"
    },
  ]

  /// A prompt keeps its language while it is open, but not when it is asked again.
  static let newLanguage = "a question that is asked again is in the language chosen since"

  /// True for two prompts that ask the same, perhaps in two languages.
  static func askTheSame(_ prompt: JSON, _ other: JSON) -> Bool {
    func ids(_ prompt: JSON) -> [JSON?] {
      (prompt["params"]?["buttons"]?.array ?? []).map { $0["id"] }
    }
    return prompt["kind"] == other["kind"] && prompt["screen"] == other["screen"]
      && ids(prompt) == ids(other)
  }

  static func isOfDevice(_ prompt: JSON) -> Bool {
    !["alert", "confirmationDialog"].contains(prompt["kind"]?.string ?? "")
  }

  static let ofValues = [
    OfValues(name: "the tracked events tell of the restart") { difference, document in
      kind(difference, document) == "devSettings" && difference.path.dropFirst(3).first == "events"
    },
    OfValues(name: "a list that was loaded before another screen changed it is up to date") {
      difference, document in
      kind(difference, document) == "categoryList"
        && difference.path.dropFirst(3).first == "avatars"
    },
    OfValues(name: "the offer of reminders is gone if it was answered elsewhere") {
      difference, document in
      kind(difference, document) == "explore" && difference.path.last == "showsPushPermission"
    },
    OfValues(name: "a relative time is renewed in another second of the minute") {
      difference, document in
      kind(difference, document) == "chats" && difference.path.last == "time"
    },
    OfValues(name: "the sections of the Pokédex have the order in which their Pokémon have come") {
      difference, document in
      kind(difference, document) == "pokedex" && difference.path.dropFirst(3).first == "sections"
    },
    OfValues(name: "the pieces of a reply are one text once it is loaded") { difference, document in
      guard kind(difference, document) == "chat", difference.path.last == "pieces" else {
        return false
      }
      func text(_ value: JSON?) -> String? {
        value?.array?.map { $0.string ?? "" }.joined()
      }
      return text(difference.calm) == text(difference.restarted)
    },
  ]

  private static func kind(_ difference: Difference, _ document: JSON) -> String? {
    guard difference.path.first == "screens", difference.path.count > 1 else { return nil }
    return document["screens"]?[difference.path[1]]?["kind"]?.string
  }
}
