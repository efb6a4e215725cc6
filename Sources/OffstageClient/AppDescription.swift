/// The screens that an app can show, as `rpc.discover` describes them. A generic front end can draw
/// a screen from its description alone.
public struct AppDescription: Sendable {
  /// The OpenRPC document.
  public let value: Value
  private let screens: [String: ScreenDescription]
  private let app: ScreenDescription
  /// The parts of screens, by type name.
  let parts: [String: ScreenDescription]
  /// True if any part has lifecycle inputs.
  let hasLifecycleParts: Bool

  /// Reads an OpenRPC document.
  public init(_ value: Value) {
    self.value = value
    let schemas = value["components"]["schemas"]
    func descriptions(_ member: String) -> [String: ScreenDescription] {
      let members = value[member].members ?? []
      return Dictionary(
        uniqueKeysWithValues: members.map { ($0, ScreenDescription($0, $1, schemas)) })
    }
    (screens, parts) = (descriptions("x-screens"), descriptions("x-parts"))
    hasLifecycleParts = parts.values.contains { $0.inputs.contains { $0.moment != nil } }
    app = ScreenDescription("app", value["x-app"], schemas)
  }

  /// The description of a kind of screen. An unknown kind has no ports.
  public subscript(kind: String) -> ScreenDescription {
    screens[kind] ?? ScreenDescription(kind, .null, .null)
  }

  /// The description of an open screen.
  @MainActor public subscript(screen: RemoteScreen) -> ScreenDescription {
    screen.id == "app" ? app : self[screen.kind]
  }

  /// The description of a kind of prompt: what it asks, and the answer that it takes. Their titles
  /// are the same.
  public func prompt(_ kind: String) -> (params: PortDescription, answer: PortDescription) {
    let prompt = value["x-prompts"][kind]
    func port(_ member: String) -> PortDescription {
      PortDescription(
        kind, prompt[member].adding(prompt.words), value["components"]["schemas"])
    }
    return (port("params"), port("answer"))
  }
}

/// The ports of a kind of screen, or of a part of a screen.
public struct ScreenDescription: Sendable {
  /// The name of the kind, such as `signUp`.
  public let kind: String
  /// The title to display.
  public let title: String
  /// The inputs, including those of the fields.
  public let inputs: [PortDescription]
  /// The inputs whose content is in the document.
  public let fields: [PortDescription]
  /// The outputs.
  public let outputs: [PortDescription]
  /// The events, which the document does not keep.
  public let events: [PortDescription]
  /// The outputs that show parts, each with the name of the part.
  let children: [(output: String, part: String)]

  init(_ kind: String, _ screen: Value, _ schemas: Value) {
    func ports(_ part: String) -> [PortDescription] {
      screen[part].members?.map { PortDescription($0.name, $0.value, schemas) } ?? []
    }
    self.kind = kind
    title = screen["title"].string ?? kind
    (inputs, fields) = (ports("inputs"), ports("fields"))
    (outputs, events) = (ports("outputs"), ports("events"))
    children = screen["children"].members?.map { ($0.name, $0.value.string ?? "") } ?? []
  }

  /// Returns the inputs that take a row of a list, such as a tap. With the role `move`, returns
  /// those that move a row.
  public func rowInputs(of list: String, _ role: PortDescription.Role = .row) -> [PortDescription] {
    inputs.filter { $0.role == role && $0.rows.contains { $0.list == list } }
  }
}

/// An input, a field, or an output of a screen.
public struct PortDescription: Sendable {
  /// The use of an input.
  public enum Role: String, Sendable {
    /// A button, which has no value.
    case trigger
    /// Sent when the screen appears or disappears, or the end of a list is shown; see
    /// ``PortDescription/moment``.
    case lifecycle
    /// A text field.
    case text
    /// One of several values; see ``PortDescription/choices``.
    case choice
    /// A switch.
    case toggle
    /// A tap on a row of a list; see ``PortDescription/rows``.
    case row
    /// A move of a row within its list; see ``PortDescription/rows``.
    case move
    /// The order of a list; see ``PortDescription/rows``.
    case sort
    /// A file, read like the answer to the prompt `pickFile`.
    case file
    /// Any other value.
    case value
    /// Not for people: a front end does not draw it.
    case hidden

    /// The use of an input whose role this package does not know, by its type.
    init(of schema: Value) {
      switch schema["type"].string {
      case _ where schema["enum"].array != nil: self = .choice
      case "null": self = .trigger
      case "boolean": self = .toggle
      case "string": self = .text
      default: self = .value
      }
    }
  }

  /// A list whose rows an input takes.
  public struct Rows: Sendable {
    /// The path of the list below `output`; `*` stands for each element.
    public let list: String
    /// The member of a row to send as the value; nil to send the whole row or several members.
    public let member: String?
    /// For a value with several members, the path of each, such as `lists/*/id` for the id of the
    /// enclosing row.
    let members: [(name: String, path: String)]
    /// For a move, the member that takes the id of the row below the new place.
    let before: String?
    /// For a sort, the members of the value that take the name of a column, and the direction.
    public let column, descending: String?

    init(_ rows: Value) {
      list = rows["list"].string ?? ""
      member = rows["member"].string
      members = rows["members"].members?.map { ($0.name, $0.value.string ?? "") } ?? []
      before = rows["before"].string
      (column, descending) = (rows["column"].string, rows["descending"].string)
    }

    /// Returns the value to send for a row.
    /// - Parameter outer: The enclosing rows, outermost first.
    public func value(of row: Value, in outer: [Value] = []) -> Value {
      guard !members.isEmpty else { return member.map { row[$0] } ?? row }
      let rows = outer + [row]
      return Value(
        members: members.map { name, path in
          let steps = path.split(separator: "/").map(String.init)
          let depth = min(steps.count { $0 == "*" }, rows.count)
          return (name, rows[max(depth - 1, 0)][steps.last ?? "id"])
        })
    }

    /// Returns the value that moves a row above another one, or to the end of the list if `other`
    /// is nil.
    public func value(moving row: Value, before other: Value?) -> Value {
      let below = other.flatMap { value(of: $0).members?.first?.value } ?? .null
      let moved = value(of: row).members ?? []
      return Value(members: moved.map { ($0.name, $0.value) } + [(before ?? "before", below)])
    }
  }

  /// The name on the wire.
  public let name: String
  /// The title to display.
  public let title: String
  /// A longer explanation to display.
  public let help: String?
  /// Sample content to display in an empty field.
  public let placeholder: String?
  /// The use of the input.
  public let role: Role
  /// For a lifecycle input: `appear`, `disappear`, or `end`.
  public let moment: String?
  /// The lists whose rows the input takes.
  public let rows: [Rows]
  /// The Boolean output that enables the input.
  public let enabledBy: String?
  /// True if the text must not be shown as it is typed, such as a password.
  public let isSecret: Bool
  /// The JSON Schema. A reference or an optional at its top is already resolved.
  public let schema: Value
  /// The keywords of the port itself in the description: `x-role`, and what belongs to it, such as
  /// `x-retry`.
  public let says: Value
  private let schemas: Value

  init(_ name: String, _ port: Value, _ schemas: Value) {
    self.name = name
    title = port["title"].string ?? name
    help = port["description"].string
    placeholder = port["placeholder"].string
    let schema = Self.resolve(port, schemas)
    role = port["x-role"].string.flatMap(Role.init) ?? Role(of: schema)
    moment = port["x-when"].string
    rows = port["x-rows"].array?.map { Rows($0) } ?? []
    enabledBy = port["x-enabledBy"].string
    isSecret = port["x-secret"].bool ?? false
    self.schema = schema
    says = port
    self.schemas = schemas
  }

  /// True for a list of which the document has a window; see ``RemoteScreen/window(_:first:count:)``.
  public var isWindow: Bool { says["x-window"].bool ?? false }

  /// True for a list with a window that is read from its end, such as a chat.
  public var isFromEnd: Bool { says["x-from"] == "end" }

  /// The list in a window; `self` for any other output.
  public var list: PortDescription {
    guard isWindow else { return self }
    return PortDescription(name, schema["properties"]["rows"].adding(says.words), schemas)
  }

  /// The members of the value, or of the rows of a list.
  public var members: [PortDescription] {
    let owner = schema["items"].isNull ? schema : Self.resolve(schema["items"], schemas)
    return owner["properties"].members?.map { name, member in
      let title = owner["x-titles"][name]
      return PortDescription(
        name, member.adding(title.isNull ? [] : [(name: "title", value: title)]), schemas)
    } ?? []
  }

  /// The elements of a list, without a name of their own.
  public var element: PortDescription { PortDescription(name, schema["items"], schemas) }

  /// The values of a `choice`, with their titles; null among them if it has one.
  public var choices: [(value: Value, title: String)] {
    (schema["enum"].array ?? []).compactMap { value in
      let name = value.string ?? "\(value)"
      let title = schema["x-titles"][name].string
      return value.isNull && title == nil ? nil : (value, title ?? name)
    }
  }

  private static func resolve(_ schema: Value, _ schemas: Value) -> Value {
    if let reference = schema["$ref"].string?.split(separator: "/").last {
      return resolve(schemas[String(reference)], schemas)
    }
    let kinds = schema["anyOf"].array?.filter { $0["type"].string != "null" } ?? []
    return kinds.count == 1 ? resolve(kinds[0], schemas) : schema
  }
}

extension Value {
  /// The members with which a description names a port.
  fileprivate var words: [(name: String, value: Value)] {
    members?.filter { ["title", "description", "placeholder"].contains($0.name) } ?? []
  }

  func adding(_ added: [(name: String, value: Value)]) -> Value {
    Value(members: (members ?? []) + added)
  }
}
