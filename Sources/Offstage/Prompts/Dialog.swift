/// An alert or a confirmation dialog: what it says and what can be chosen or typed.
public struct Dialog: Codable, Hashable, Sendable {
  /// Something to choose.
  public struct Button: Codable, Hashable, Sendable {
    /// What pressing it means, for its looks and its place.
    public enum Role: String, Codable, CaseIterable, Sendable {
      case cancel, destructive
    }

    /// What the answer calls it.
    public let id: String
    /// What it says.
    public let title: String
    /// Nil for a button that is neither a way out nor a danger.
    public let role: Role?

    /// - Parameter id: what the answer calls it.
    public init(_ id: String, _ title: String, role: Role? = nil) {
      self.id = id
      self.title = title
      self.role = role
    }

    /// The one button of a dialog that only tells.
    public static let ok = Button("ok", "OK")
  }

  /// Something to type.
  public struct TextField: Codable, Hashable, Sendable {
    /// What the answer calls it.
    public let id: String
    /// What stands in it while it is empty.
    public let placeholder: String

    /// - Parameter id: what the answer calls it.
    public init(_ id: String, placeholder: String) {
      self.id = id
      self.placeholder = placeholder
    }
  }

  /// The button that was pressed, and what stood in the text fields.
  public struct Answer: Codable, Hashable, Sendable {
    /// The id of the button.
    public let button: String
    /// What was typed, by the ids of the text fields; nil for a dialog without any.
    public let fields: [String: String]?

    /// An answer, as a test gives it.
    public init(button: String, fields: [String: String]? = nil) {
      self.button = button
      self.fields = fields
    }
  }

  /// What it asks or tells.
  public let title: String
  /// More about it, in smaller letters.
  public let message: String?
  /// In the order in which they are shown.
  public let buttons: [Button]
  /// What can be typed; nil for nothing.
  public let fields: [TextField]?

  /// A dialog that, by default, has only to be read.
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
