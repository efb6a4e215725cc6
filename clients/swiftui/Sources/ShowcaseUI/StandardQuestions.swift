import Foundation
import OffstageClient

// The kinds that every device has.

extension Question {
  typealias Draw =
    @MainActor (RemotePrompt, _ params: PortDescription, _ answer: PortDescription) -> Question

  /// How each standard kind is asked. All others are asked by their schemas.
  static let standard: [String: Draw] = [
    "alert": dialog, "confirmationDialog": dialog, "openURL": openURL, "share": share,
    "pickFile": pickFile, "saveFile": saveFile, "pickDate": pickDate, "signIn": signIn,
    "location.current": locate,
  ]

  private static func dialog(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let fields = (prompt.params["fields"].array ?? []).map {
      TypedText(id: $0["id"].string ?? "", hint: $0["placeholder"].string ?? "", port: answer)
    }
    let buttons = (prompt.params["buttons"].array ?? []).map { button in
      Choice(
        title: button["title"].string ?? "", role: button["role"].string,
        act: .answer { texts in
          let typed = Value(members: fields.map { ($0.id, Value(texts[$0.id] ?? "")) })
          return ["button": button["id"], "fields": typed]
        })
    }
    return Question(
      prompt, title: prompt.params["title"].string ?? params.title,
      message: prompt.params["message"].string ?? "", fields: fields, buttons: buttons)
  }

  private static func openURL(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let url = prompt.params["url"].string ?? ""
    return Question(
      prompt, title: params.title, message: url, buttons: [Choice(title: "Open", act: .open(url))])
  }

  private static func share(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let text = prompt.params["text"].string ?? ""
    return Question(
      prompt, title: params.title, message: text, buttons: [.done { _ in [:] }],
      control: .share(text))
  }

  private static func pickFile(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let rule = FileRule(prompt.params)
    return Question(prompt, title: params.title, message: rule.text, control: .file(rule))
  }

  private static func saveFile(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let file = SavedFile(prompt.params)
    return Question(prompt, title: params.title, message: file.name, control: .save(file))
  }

  private static func pickDate(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let choice = DayChoice(prompt.params)
    let done = Choice.done { texts throws(Mistake) in
      let text = texts["date"] ?? Day.text(of: choice.selected)
      guard let day = Day.date(text), choice.range.contains(day) else {
        throw Mistake("\(text) cannot be chosen.")
      }
      return ["date": Value(text)]
    }
    return Question(
      prompt, title: params.title, message: params.help ?? "", buttons: [done],
      control: .day(choice))
  }

  private static func signIn(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let page = SignInPage(prompt.params)
    let fields = answer.members.filter { $0.name == "url" }.map {
      TypedText(id: $0.name, hint: "Paste the address that the page leads to", port: $0)
    }
    let done = Choice.done { texts throws(Mistake) in
      ["url": Value(try page.end(texts["url"] ?? "")), "callback": nil]
    }
    return Question(
      prompt, title: params.title, message: page.url, fields: fields, buttons: [done],
      control: .signIn(page))
  }

  private static func locate(
    _ prompt: RemotePrompt, _ params: PortDescription, _ answer: PortDescription
  ) -> Question {
    let reason = prompt.params["reason"].string
    return Question(
      prompt, title: params.title, message: reason ?? "",
      buttons: [Choice(title: "Allow", act: .locate)], isAnsweredAtOnce: reason == nil)
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
