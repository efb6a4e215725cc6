internal import OffstageJSON

/// An alert or a confirmation dialog: its text, buttons, and text fields.
public struct Dialog: Codable, Hashable, Sendable {
  /// A button of a dialog.
  public struct Button: Codable, Hashable, Sendable {
    /// The meaning of a button, from which a front end derives its style and place.
    public enum Role: String, Codable, CaseIterable, Sendable {
      case cancel, destructive
    }

    /// The id in the answer.
    public let id: String
    /// The text on the button.
    public let title: String
    /// The meaning of the button; nil for a regular one.
    public let role: Role?

    /// Creates a button, by default a regular one.
    public init(_ id: String, _ title: String, role: Role? = nil) {
      self.id = id
      self.title = title
      self.role = role
    }

    /// The only button of a dialog that just informs.
    public static let ok = Button("ok", "OK")
  }

  /// A text field of a dialog.
  public struct TextField: Codable, Hashable, Sendable {
    /// The id in the answer.
    public let id: String
    /// The text that it shows while it is empty.
    public let placeholder: String

    /// Creates an empty text field.
    public init(_ id: String, placeholder: String) {
      self.id = id
      self.placeholder = placeholder
    }
  }

  /// The button that was pressed, and the content of the text fields.
  public struct Answer: Codable, Hashable, Sendable {
    /// The id of the button that was pressed.
    public let button: String
    /// The content of the text fields by their ids; nil for a dialog without text fields.
    public let fields: Texts?

    /// Creates an answer, as a test does.
    public init(button: String, fields: Texts? = nil) {
      self.button = button
      self.fields = fields
    }
  }

  /// The content of text fields by their ids.
  ///
  /// Ids are compared byte by byte. A dictionary would take two spellings of `é` for the same id.
  public struct Texts: Codable, Hashable, Sendable, ExpressibleByDictionaryLiteral, SchemaAnnotated
  {
    private var texts: [ByteString: String] = [:]

    public init(dictionaryLiteral elements: (String, String)...) {
      for (id, text) in elements { texts[ByteString(id)] = text }
    }

    var ids: [ByteString] { Array(texts.keys) }

    /// The content of a text field; nil if the answer leaves it out.
    public subscript(id: String) -> String? { texts[ByteString(id)] }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: JSONKey.self)
      for id in container.allKeys {
        texts[ByteString(id.stringValue)] = try container.decode(String.self, forKey: id)
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: JSONKey.self)
      for (id, text) in texts.map({ (id: $0.string, text: $1) })
        .sorted(by: { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) })
      {
        try container.encode(text, forKey: JSONKey.name(id))
      }
    }

    public static var schema: (text: String, sample: Texts)? {
      (#"{"type":"object","additionalProperties":{"type":"string"}}"#, Texts())
    }
  }

  /// The question or message.
  public let title: String
  /// Details, in smaller type.
  public let message: String?
  /// The buttons in the order in which they are shown.
  public let buttons: [Button]
  /// The text fields; nil for none.
  public let fields: [TextField]?

  /// Creates a dialog, by default with a single button, OK.
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
    let fields = Set((fields ?? []).map { ByteString($0.id) })
    prompt.mismatch = { answer in
      if !buttons.contains(answer.button) {
        return JSONMismatch(
          path: "/button", expected: JSONMismatch.expected(oneOf: buttons.map(JSON.string)),
          text: answer.button)
      }
      guard let unknown = answer.fields?.ids.first(where: { !fields.contains($0) }) else {
        return nil
      }
      return JSONMismatch(
        path: "/fields", expected: "ids of the dialog's text fields", text: unknown.string)
    }
    return prompt
  }
}

extension Prompt where Answer == Dialog.Answer {
  /// A box that the user must answer before anything else.
  public static func alert(_ dialog: Dialog) -> Self { dialog.prompt("alert") }

  /// A choice that slides in, before an action is taken.
  public static func confirmationDialog(_ dialog: Dialog) -> Self {
    dialog.prompt("confirmationDialog")
  }
}
