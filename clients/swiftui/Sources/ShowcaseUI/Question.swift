import Foundation
import OffstageClient

/// A prompt as a dialog, made only from its params and the description of its kind.
@MainActor
struct Question: Identifiable {
  /// The prompt to answer; nil for a link that the person has followed.
  let prompt: RemotePrompt?
  let title: String
  var message = ""
  var fields: [Field] = []
  var buttons: [Choice] = []
  /// What a dialog of texts and buttons cannot hold.
  var control: Control?
  /// True if the device asks the person itself: the first button is pressed at once.
  var isAnsweredAtOnce = false

  /// A text that the person types, as a member of the answer or, without a name, as the answer.
  struct Field: Identifiable {
    let id: String
    let hint: String
    let port: PortDescription
  }

  /// A button, and what it does.
  struct Choice {
    let title: String
    var role: String?
    let act: Act
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

  init(_ prompt: RemotePrompt?, title: String, message: String = "") {
    (self.prompt, self.title, self.message) = (prompt, title, message)
  }

  init(_ prompt: RemotePrompt, _ description: AppDescription) {
    let (params, answer) = description.prompt(prompt.kind)
    self = (Self.standard[prompt.kind] ?? Self.custom)(prompt, params, answer)
  }

  /// The question before a link in a text is opened.
  init(link: String) {
    self.init(nil, title: "Open this page?", message: link)
    buttons = [Choice(title: "Open", act: .open(link))]
  }

  private typealias Draw =
    @MainActor (RemotePrompt, _ params: PortDescription, _ answer: PortDescription) -> Question

  /// How the kinds are asked that every device has. All others are asked by their schemas.
  private static let standard: [String: Draw] = [
    "alert": dialog, "confirmationDialog": dialog, "openURL": openURL, "share": share,
    "pickFile": pickFile, "saveFile": saveFile, "pickDate": pickDate, "signIn": signIn,
    "location.current": locate,
  ]

  static var kinds: Set<String> { Set(standard.keys) }
}

// MARK: Standard kinds

extension Question {
  private static func dialog(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let message = prompt.params["message"].string ?? ""
    var question = Question(
      prompt, title: prompt.params["title"].string ?? params.title, message: message)
    let fields = (prompt.params["fields"].array ?? []).map {
      Field(id: $0["id"].string ?? "", hint: $0["placeholder"].string ?? "", port: answer)
    }
    question.fields = fields
    question.buttons = (prompt.params["buttons"].array ?? []).map { button in
      Choice(
        title: button["title"].string ?? "", role: button["role"].string,
        act: .answer { texts in
          let typed = Value(members: fields.map { ($0.id, Value(texts[$0.id] ?? "")) })
          return ["button": button["id"], "fields": typed]
        })
    }
    return question
  }

  private static func openURL(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let url = prompt.params["url"].string ?? ""
    var question = Question(prompt, title: params.title, message: url)
    question.buttons = [Choice(title: "Open", act: .open(url))]
    return question
  }

  private static func share(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let text = prompt.params["text"].string ?? ""
    var question = Question(prompt, title: params.title, message: text)
    question.control = .share(text)
    question.buttons = [Choice(title: "Done", act: .answer { _ in [:] })]
    return question
  }

  private static func pickFile(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let rule = FileRule(prompt.params)
    var question = Question(prompt, title: params.title, message: rule.text)
    question.control = .file(rule)
    return question
  }

  private static func saveFile(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let file = SavedFile(prompt.params)
    var question = Question(prompt, title: params.title, message: file.name)
    question.control = .save(file)
    return question
  }

  private static func pickDate(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let choice = DayChoice(prompt.params)
    var question = Question(prompt, title: params.title, message: params.help ?? "")
    question.control = .day(choice)
    question.buttons = [
      Choice(
        title: "Done",
        act: .answer { texts throws(Mistake) in
          let text = texts["date"] ?? Day.text(of: choice.selected)
          guard let day = Day.date(text), choice.range.contains(day) else {
            throw Mistake("\(text) cannot be chosen.")
          }
          return ["date": Value(text)]
        })
    ]
    return question
  }

  private static func signIn(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let page = SignInPage(prompt.params)
    var question = Question(prompt, title: params.title, message: page.url)
    question.control = .signIn(page)
    question.fields = answer.members.filter { $0.name == "url" }.map {
      Field(id: $0.name, hint: "Paste the address that the page leads to", port: $0)
    }
    question.buttons = [
      Choice(
        title: "Done",
        act: .answer { texts throws(Mistake) in
          ["url": Value(try page.end(texts["url"] ?? "")), "callback": nil]
        })
    ]
    return question
  }

  private static func locate(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let reason = prompt.params["reason"].string
    var question = Question(prompt, title: params.title, message: reason ?? "")
    question.buttons = [Choice(title: "Allow", act: .locate)]
    question.isAnsweredAtOnce = reason == nil
    return question
  }

  // MARK: Kinds of the app's own

  private static func custom(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let said = Wording.text(of: prompt.params, params)
    let message = [params.help ?? "", said].filter { !$0.isEmpty }.joined(separator: "\n")
    var question = Question(prompt, title: params.title, message: message)
    let type = answer.schema["type"].string
    let choices = answer.choices
    if type == "boolean" {
      let titles = answer.schema["x-titles"]
      question.buttons = [
        Choice(title: titles["true"].string ?? "Yes", act: .answer { _ in true }),
        Choice(title: titles["false"].string ?? "No", act: .answer { _ in false }),
      ]
    } else if !choices.isEmpty {
      question.buttons = choices.map { choice in
        Choice(title: choice.title, act: .answer { _ in choice.value })
      }
    } else if type == "object" || type == "null" {
      let fields = answer.members.map { Field(id: $0.name, hint: $0.title, port: $0) }
      question.fields = fields
      question.buttons = [
        Choice(
          title: "Done",
          act: .answer { texts in
            // Null says nothing, not even an object without members.
            type == "null"
              ? .null
              : Value(
                members: fields.map { ($0.id, Wording.value(of: texts[$0.id] ?? "", $0.port)) })
          })
      ]
    } else {
      question.fields = [Field(id: "", hint: answer.placeholder ?? answer.title, port: answer)]
      question.buttons = [
        Choice(title: "Done", act: .answer { Wording.value(of: $0[""] ?? "", answer) })
      ]
    }
    return question
  }
}

/// The page of another service that signs in, and the start of the address to which it leads in the end.
struct SignInPage {
  let url: String
  let callback: String

  /// Reads the params of `signIn`.
  init(_ params: Value) {
    (url, callback) = (params["url"].string ?? "", params["callback"].string ?? "")
  }

  /// Returns the address to which the browser has come back.
  /// - Throws: A mistake for another address, such as that of an earlier visit.
  func end(_ text: String) throws(Mistake) -> String {
    let end = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard end.utf8.starts(with: callback.utf8) else {
      throw Mistake("The address must start with \(callback).")
    }
    guard Self.state(of: end) == Self.state(of: url) else {
      throw Mistake("The address is that of another visit. Open the page again.")
    }
    return end
  }

  /// The `state` of a sign-in page, which tells one visit from another.
  private static func state(of url: String) -> String? {
    URLComponents(string: url)?.queryItems?.first { $0.name == "state" }?.value
  }
}
