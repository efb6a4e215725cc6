/// The text for a screen, a port, a case of an enum, or a member of a type, for front ends that
/// draw screens from the description of the app.
/// ```swift
/// App(root: root, labels: { key, language in
///   switch key {
///   case "signUp": language.language == "ko" ? "가입하기" : "Sign up"
///   case "signUp.emailText": Label("Email", placeholder: "kim@example.com")
///   default: nil
///   }
/// }, screens: screens)
/// ```
/// The key is the kind of a screen (`signUp`), a port (`signUp.nameText`), a case of an enum
/// (`PlaceSort.distance`), or a member of a type (`PlaceRow.rating`). For a ``Part``, the name of its
/// type takes the place of the kind: `CartLine.remove`. A prompt of the kind `pickRoom` has the key
/// `PickRoomPrompt`.
///
/// If there is no label for a key, the title is derived from the name: `nameText` is "Name",
/// `placeTapped` is "Place", `didAppear` is "Appear".
public struct Label: Hashable, Sendable {
  /// The name, such as the text on a button.
  public var title: String
  /// One sentence about what it is for.
  public var description: String?
  /// The text in a field that is empty.
  public var placeholder: String?

  /// Creates a label from a title, with a description and a placeholder if they help.
  public init(_ title: String, description: String? = nil, placeholder: String? = nil) {
    self.title = title
    self.description = description
    self.placeholder = placeholder
  }
}

extension Label: ExpressibleByStringLiteral {
  /// Creates a label from a title alone.
  public init(stringLiteral title: String) { self.init(title) }
}

/// Returns the label of a key in a language; nil for one that is derived from the name.
package typealias Labels = @Sendable (_ key: String, _ language: LanguageTag) -> Label?

/// The labels of an app in one language.
package struct LocalizedLabels {
  private let labels: Labels
  private let language: LanguageTag

  package init(_ labels: @escaping Labels = { _, _ in nil }, language: LanguageTag = "en") {
    self.labels = labels
    self.language = language
  }

  /// The label of a key, or else a title derived from a name.
  package func label(
    _ key: String, derivedFrom name: String, isAction: Bool = false
  ) -> Label {
    labels(key, language) ?? Label(derivedFrom: name, isAction: isAction)
  }

  package func label(_ key: String, of prompt: PromptDescription) -> Label {
    labels(key, language) ?? prompt.title.map { Label($0(language)) }
      ?? Label(derivedFrom: prompt.kind)
  }

  /// The title of `true`, `false`, or `null` among the values of a choice.
  func titleOfBoolean(_ value: String, _ key: String) -> String {
    let isKorean = language.language == "ko"
    let title =
      switch value {
      case "true": isKorean ? "예" : "Yes"
      case "false": isKorean ? "아니요" : "No"
      default: isKorean ? "없음" : "None"
      }
    return label(key, derivedFrom: title).title
  }
}

extension Label {
  /// The label derived from a name that the app does not label.
  /// - Parameter isAction: True for an input that acts on a row, among others: `placeDeleted` is
  ///   "Delete place".
  package init(derivedFrom name: String, isAction: Bool = false) {
    var words = name.words
    if words.count > 1, let first = words.first, ["did", "is"].contains(first) {
      words.removeFirst()
    }
    if words.count > 1, let last = words.last, Self.verbs.contains(last) {
      words.removeLast()
      if isAction, let action = Self.actions[last] { words.insert(action, at: 0) }
    }
    let title = words.joined(separator: " ")
    self.init(title.prefix(1).uppercased() + title.dropFirst())
  }

  /// The last words of the names of inputs: what happened to the thing that the other words name.
  static let verbs: Set = Set([
    "text", "tapped", "pressed", "clicked", "opened", "picked", "selected", "chosen", "changed",
    "entered", "typed",
  ]).union(actions.keys)

  /// The verbs that act on a row, with their imperatives.
  static let actions = [
    "deleted": "Delete", "removed": "Remove", "toggled": "Toggle", "switched": "Switch",
    "swiped": "Swipe", "moved": "Move", "dragged": "Move", "dropped": "Move", "reordered": "Move",
  ]
}

extension String {
  /// The words of a name in camel case, in lowercase: `tvShowTapped` is `tv`, `show`, and `tapped`.
  package var words: [String] {
    var words: [String] = []
    var word = ""
    var previous: Character = " "
    for (index, character) in zip(indices, self) {
      let next = self[index...].dropFirst().first
      let begins =
        character.isUppercase && (!previous.isUppercase || next?.isLowercase == true)
        || !character.isLetter && !character.isNumber
      if begins, !word.isEmpty {
        words.append(word)
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
      previous = character
    }
    return word.isEmpty ? words : words + [word]
  }
}
