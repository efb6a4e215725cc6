/// An alert or a confirmation dialog: what it says and what can be chosen or typed.
public struct Dialog: Codable, Hashable, Sendable {
  public struct Button: Codable, Hashable, Sendable {
    public enum Role: String, Codable, CaseIterable, Sendable {
      case cancel, destructive
    }

    public let id: String
    public let title: String
    public let role: Role?

    public init(_ id: String, _ title: String, role: Role? = nil) {
      self.id = id
      self.title = title
      self.role = role
    }

    public static let ok = Button("ok", "OK")
  }

  public struct TextField: Codable, Hashable, Sendable {
    public let id: String
    public let placeholder: String

    public init(_ id: String, placeholder: String) {
      self.id = id
      self.placeholder = placeholder
    }
  }

  /// The button that was pressed, and what stood in the text fields.
  public struct Answer: Codable, Hashable, Sendable {
    public let button: String
    public let fields: [String: String]?

    public init(button: String, fields: [String: String]? = nil) {
      self.button = button
      self.fields = fields
    }
  }

  public let title: String
  public let message: String?
  public let buttons: [Button]
  public let fields: [TextField]?

  public init(
    _ title: String, _ message: String? = nil, buttons: [Button] = [.ok],
    fields: [TextField]? = nil
  ) {
    self.title = title
    self.message = message
    self.buttons = buttons
    self.fields = fields
  }

  fileprivate func prompt(_ kind: String) -> Prompt<Answer> {
    var prompt = Prompt<Answer>(kind, self)
    let buttons = buttons.map(\.id)
    prompt.objection = { answer in
      guard !buttons.contains(answer.button) else { return nil }
      return "one of the buttons " + buttons.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    return prompt
  }
}

extension Prompt where Answer == Dialog.Answer {
  /// A box that must be answered before anything else.
  public static func alert(_ dialog: Dialog) -> Self { dialog.prompt("alert") }

  /// A choice that slides in, for what is about to be done.
  public static func confirmationDialog(_ dialog: Dialog) -> Self {
    dialog.prompt("confirmationDialog")
  }
}
