import OffstageClient

/// A prompt as a dialog, made only from its params and the description of its kind.
@MainActor
struct Question: Identifiable {
  let prompt: RemotePrompt
  let title: String
  let message: String
  let fields: [Field]
  let buttons: [Choice]

  /// A text that the person types, as a member of the answer or, without a name, as the answer.
  struct Field: Identifiable {
    let id: String
    let hint: String
    let port: PortDescription
  }

  /// A button, and its answer. Without one, the answer is what the fields hold.
  struct Choice: Identifiable {
    let title: String
    var answer: Value?
    var role: String?

    var id: String { "\(title) \(answer ?? .null)" }
  }

  nonisolated var id: String { prompt.id }

  init(_ prompt: RemotePrompt, _ description: AppDescription) {
    let (params, answer) = description.prompt(prompt.kind)
    self.prompt = prompt
    takesNull = answer.schema["type"].string == "null"
    if let buttons = prompt.params["buttons"].array {
      title = prompt.params["title"].string ?? params.title
      message = prompt.params["message"].string ?? ""
      fields = (prompt.params["fields"].array ?? []).map {
        Field(id: $0["id"].string ?? "", hint: $0["placeholder"].string ?? "", port: answer)
      }
      self.buttons = buttons.map {
        Choice(title: $0["title"].string ?? "", answer: $0["id"], role: $0["role"].string)
      }
      return
    }
    title = params.title
    let said = Wording.text(of: prompt.params, params)
    message = [params.help ?? "", said].filter { !$0.isEmpty }.joined(separator: "\n")
    let types = answer.schema["type"]
    let choices = answer.choices.map { Choice(title: $0.title, answer: $0.value) }
    if types.string == "boolean" {
      let titles = answer.schema["x-titles"]
      fields = []
      buttons = [
        Choice(title: titles["true"].string ?? "Yes", answer: true),
        Choice(title: titles["false"].string ?? "No", answer: false),
      ]
    } else if !choices.isEmpty {
      (fields, buttons) = ([], choices)
    } else if types.string == "object" || types.string == "null" {
      fields = answer.members.map { Field(id: $0.name, hint: $0.title, port: $0) }
      buttons = [Choice(title: "Done")]
    } else {
      fields = [Field(id: "", hint: answer.placeholder ?? answer.title, port: answer)]
      buttons = [Choice(title: "Done")]
    }
  }

  /// True for an answer that says nothing, not even an object without members.
  private let takesNull: Bool

  /// True if the person may close the prompt without an answer. An alert has a button for that.
  var canDismiss: Bool { prompt.params["buttons"].array == nil }

  /// The answer of a button, with what has been typed by the id of the field.
  func answer(_ choice: Choice, _ texts: [String: String]) -> Value {
    let text = { (field: Field) in texts[field.id] ?? "" }
    if !canDismiss {
      let typed = Value(members: fields.map { ($0.id, Value(text($0))) })
      return ["button": choice.answer ?? .null, "fields": typed]
    }
    if let answer = choice.answer { return answer }
    if let field = fields.first, field.id.isEmpty {
      return Wording.value(of: text(field), field.port)
    }
    if fields.isEmpty, takesNull { return .null }
    return Value(members: fields.map { ($0.id, Wording.value(of: text($0), $0.port)) })
  }
}
