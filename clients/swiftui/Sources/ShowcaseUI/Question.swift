import OffstageClient

/// A prompt as a dialog, made only from its params and the description of its kind.
@MainActor
struct Question: Identifiable {
  /// The prompt to answer; nil for a link that the person has followed.
  let prompt: RemotePrompt?
  let title: String
  let message: String
  let fields: [TypedText]
  let buttons: [Choice]
  /// What a dialog of texts and buttons cannot hold.
  let control: Control?
  /// True if the device asks the person itself: the first button is pressed at once.
  let isAnsweredAtOnce: Bool

  /// A button, and what it does.
  struct Choice {
    let title: String
    var role: String?
    let act: Act

    /// The button that sends what has been typed.
    static func done(
      _ answer: @escaping ([String: String]) throws(Mistake) -> Value
    ) -> Choice {
      Choice(title: "Done", act: .answer(answer))
    }
  }

  enum Act {
    /// Makes the answer from what has been typed, by the id of the field.
    case answer(([String: String]) throws(Mistake) -> Value)
    /// Opens an address, and answers once it is open.
    case open(String)
    /// Asks the device where it is.
    case locate
  }

  enum Control {
    case day(DayChoice)
    case file(FileRule)
    case save(SavedFile)
    case share(String)
    case signIn(SignInPage)
  }

  nonisolated var id: String { prompt?.id ?? "link" }

  /// True if the person may close the question without an answer. An alert has a button for that.
  var canDismiss: Bool { prompt?.params["buttons"].array == nil }

  init(
    _ prompt: RemotePrompt?, title: String, message: String = "", fields: [TypedText] = [],
    buttons: [Choice] = [], control: Control? = nil, isAnsweredAtOnce: Bool = false
  ) {
    (self.prompt, self.title, self.message, self.fields) = (prompt, title, message, fields)
    (self.buttons, self.control, self.isAnsweredAtOnce) = (buttons, control, isAnsweredAtOnce)
  }

  init(_ prompt: RemotePrompt, _ description: AppDescription) {
    let (params, answer) = description.prompt(prompt.kind)
    self = (Self.standard[prompt.kind] ?? Self.custom)(prompt, params, answer)
  }

  /// The question before a link in a text is opened.
  init(link: String) {
    self.init(
      nil, title: "Open this page?", message: link,
      buttons: [Choice(title: "Open", act: .open(link))])
  }
}

extension Question {
  /// Asks a kind of the app's own by its schema.
  private static func custom(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let said = Wording.text(of: prompt.params, params)
    let message = [params.help ?? "", said].filter { !$0.isEmpty }.joined(separator: "\n")
    let type = answer.schema["type"].string
    var choices = answer.choices
    if type == "boolean" {
      let titles = answer.schema["x-titles"]
      choices = [
        (true, titles["true"].string ?? "Yes"), (false, titles["false"].string ?? "No"),
      ]
    }
    var buttons = choices.map { choice in
      Choice(title: choice.title, act: .answer { _ in choice.value })
    }
    if buttons.isEmpty { buttons = [.done { TypedText.value(of: $0, answer) }] }
    return Question(
      prompt, title: params.title, message: message,
      fields: choices.isEmpty ? TypedText.all(of: answer) : [], buttons: buttons)
  }
}
