import OffstageClient

/// The content of a screen as a list of items, made only from its description.
///
/// A view draws the items in order, without any knowledge of the app.
@MainActor
struct ScreenPlan {
  let title: String
  let items: [Item]

  enum Item: Identifiable {
    /// Content that a person edits.
    case editor(Editor)
    /// An output on one line.
    case line(name: String, title: String, text: String)
    case list(RowList)
    case button(Button)

    var id: String {
      switch self {
      case .editor(let editor): "editor " + editor.port.name
      case .line(let name, _, _): "line " + name
      case .list(let list): "list " + list.name
      case .button(let button): "button " + button.port.name
      }
    }
  }

  init(of screen: RemoteScreen, _ description: ScreenDescription) {
    title = description.title
    let shown = Set(description.inputs.compactMap(\.enabledBy))
    let editors = description.inputs.compactMap { Editor($0, screen) }.map { Item.editor($0) }
    let outputs = description.outputs.filter { !shown.contains($0.name) }.compactMap {
      Self.item(of: $0, screen, description)
    }
    let buttons = description.inputs.filter { $0.role == .trigger }.map {
      Item.button(Button(port: $0, screen: screen))
    }
    items = editors + outputs + buttons
  }

  private static func item(
    of port: PortDescription, _ screen: RemoteScreen, _ description: ScreenDescription
  ) -> Item? {
    let value = screen[port.name]
    if let rows = value.array {
      return rows.isEmpty ? nil : .list(RowList(port: port, rows, description, screen))
    }
    if value.bool == true { return .line(name: port.name, title: port.title, text: "") }
    let text = Row.text(of: value)
    return text.isEmpty ? nil : .line(name: port.name, title: port.title, text: text)
  }
}

/// A text, a choice, or a switch.
@MainActor
struct Editor {
  let port: PortDescription
  let field: RemoteField
  private let screen: RemoteScreen

  /// Creates an editor, or returns nil for an input without a value to edit.
  init?(_ port: PortDescription, _ screen: RemoteScreen) {
    guard [.text, .choice, .toggle].contains(port.role) else { return nil }
    self.port = port
    self.screen = screen
    field = screen.field(port.name)
  }

  var isOn: Bool {
    get { field.value.bool ?? false }
    nonmutating set { field.value = newValue ? true : false }
  }

  /// The title of the current choice.
  var choice: String {
    get { port.choices.first { $0.value == field.value }?.title ?? "" }
    nonmutating set {
      guard let chosen = port.choices.first(where: { $0.title == newValue }) else { return }
      field.value = chosen.value
    }
  }
}

/// A button.
@MainActor
struct Button {
  let port: PortDescription
  let screen: RemoteScreen

  var isEnabled: Bool { port.enabledBy.map { screen[$0].bool ?? true } ?? true }

  func press() { screen.send(port.name) }
}

/// A list and the actions on its rows.
@MainActor
struct RowList {
  let name: String
  let title: String
  let rows: [Row]
  /// The inputs that take a row. The first one is a tap.
  let inputs: [PortDescription]
  private let mover: PortDescription?
  private let screen: RemoteScreen

  init(
    port: PortDescription, _ values: [Value], _ description: ScreenDescription,
    _ screen: RemoteScreen
  ) {
    (name, title, self.screen) = (port.name, port.title, screen)
    inputs = description.rowInputs(of: name)
    mover = description.rowInputs(of: name, .move).first
    rows = values.enumerated().map { Row($0.element, position: $0.offset) }
  }

  var isTappable: Bool { !inputs.isEmpty }
  var isMovable: Bool { mover != nil }

  func tap(_ row: Row) {
    if let input = inputs.first { send(input, row) }
  }

  func send(_ input: PortDescription, _ row: Row) {
    guard let rows = input.rows.first(where: { $0.list == name }) else { return }
    screen.send(input.name, rows.value(of: row.value))
  }

  /// Moves a row above the one at `offset`, or to the end.
  func move(_ row: Row, to offset: Int) {
    guard let mover, let list = mover.rows.first(where: { $0.list == name }) else { return }
    let below = offset < rows.count ? rows[offset].value : nil
    screen.send(mover.name, list.value(moving: row.value, before: below))
  }

  func showedEnd() { screen.showedEnd(of: name) }
}

/// A row as text.
struct Row: Identifiable, Hashable {
  let id: String
  let title: String
  let detail: String
  let value: Value

  init(_ value: Value, position: Int) {
    id = value["id"].isNull ? "#\(position)" : "\(value["id"])"
    let texts = value.members.map { members in
      members.filter { $0.name != "id" }.map { Self.text(of: $0.value) }
    }
    let parts = (texts ?? [Self.text(of: value)]).filter { !$0.isEmpty }
    title = parts.first ?? ""
    detail = parts.dropFirst().joined(separator: " · ")
    self.value = value
  }

  /// Writes a value for people: nothing for null, false, a picture, or a list of objects.
  static func text(of value: Value) -> String {
    if let string = value.string {
      let isPicture = ["data:", "resource:", "http:", "https:"].contains { string.hasPrefix($0) }
      return isPicture ? "" : string
    }
    if let members = value.members {
      return members.filter { $0.name != "id" }.map { text(of: $0.value) }
        .filter { !$0.isEmpty }.joined(separator: " · ")
    }
    if let elements = value.array {
      return elements.contains { $0.members != nil }
        ? "" : elements.map { text(of: $0) }.joined(separator: ", ")
    }
    return value.isNull || value.bool != nil ? "" : "\(value)"
  }
}
