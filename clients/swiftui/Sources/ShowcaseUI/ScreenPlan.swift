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
    /// A failure or a message, and what is offered with it.
    case notice(name: String, text: String, buttons: [Button])
    case list(RowList)
    case button(Button)

    var id: String {
      switch self {
      case .editor(let editor): "editor " + editor.port.name
      case .line(let name, _, _): "line " + name
      case .notice(let name, _, _): "notice " + name
      case .list(let list): "list " + list.name
      case .button(let button): "button " + button.port.name
      }
    }
  }

  init(of screen: RemoteScreen, _ description: ScreenDescription) {
    let outputs = description.outputs
    let named = outputs.first { $0.says["x-role"].string == "title" }
    title = named.flatMap { screen[$0.name].string } ?? description.title
    let conditions = description.inputs.flatMap { [$0.enabledBy, $0.says["x-visibleBy"].string] }
    let shown = description.inputs.filter { input in
      input.says["x-visibleBy"].string.map { screen[$0].bool ?? true } ?? true
    }
    let offered = Set(outputs.flatMap { Self.offers(of: $0) })
    let editors = shown.compactMap { Editor($0, screen) }.map { Item.editor($0) }
    let drawn = outputs.filter { !conditions.contains($0.name) && !Self.isElsewhere($0) }
      .compactMap { Self.item(of: $0, screen, description) }
    let buttons = shown.filter { $0.role == .trigger && !offered.contains($0.name) }.map {
      Item.button(Button(port: $0, screen: screen))
    }
    items = editors + drawn + buttons
  }

  /// The inputs that are offered with an output, such as the one that tries again.
  private static func offers(of port: PortDescription) -> [String] {
    let actions = port.says["x-actions"].array ?? []
    return (actions + [port.says["x-retry"]]).compactMap(\.string)
  }

  /// True for an output that the title, an input, or a list shows.
  private static func isElsewhere(_ port: PortDescription) -> Bool {
    ["title", "condition", "selection", "options", "more", "sections", "hidden"]
      .contains(port.says["x-role"].string)
  }

  private static func item(
    of port: PortDescription, _ screen: RemoteScreen, _ description: ScreenDescription
  ) -> Item? {
    let value = screen[port.name]
    if ["failure", "notice"].contains(port.says["x-role"].string) {
      let message = port.says["x-message"].string.map { value[$0] } ?? value
      let helps = port.says["x-retryable"].string.flatMap { value[$0].bool } ?? true
      let names = offers(of: port).filter { helps || $0 != port.says["x-retry"].string }
      let buttons = description.inputs.filter { names.contains($0.name) }
        .map { Button(port: $0, screen: screen) }
      return message.string.map { .notice(name: port.name, text: $0, buttons: buttons) }
    }
    if let rows = value.array {
      return rows.isEmpty ? nil : .list(RowList(port: port, rows, description, screen))
    }
    if value.bool == true { return .line(name: port.name, title: port.title, text: "") }
    let text = Row.text(of: value, port)
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
    rows = values.enumerated().map { Row($0.element, port, position: $0.offset) }
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

  init(_ value: Value, _ list: PortDescription, position: Int) {
    id = value["id"].isNull ? "#\(position)" : "\(value["id"])"
    let members = list.members
    let texts = members.map { (port: $0, text: Self.text(of: value[$0.name], $0)) }
      .filter { !$0.text.isEmpty }
    let name = texts.first { $0.port.says["x-role"].string == "title" } ?? texts.first
    let rest = texts.filter { $0.port.name != name?.port.name }.map(\.text)
    title = name?.text ?? Self.text(of: value, list)
    detail = members.isEmpty ? "" : rest.joined(separator: " · ")
    self.value = value
  }

  /// Writes a value for people: nothing for null, false, a picture, or a list of objects, or for
  /// what is not for people.
  static func text(of value: Value, _ port: PortDescription) -> String {
    let isMedium = port.schema["contentMediaType"].string.map { !$0.hasPrefix("text/") } ?? false
    if isMedium || ["hidden", "alt"].contains(port.says["x-role"].string) { return "" }
    if let string = value.string { return port.schema["x-titles"][string].string ?? string }
    if value.members != nil {
      return port.members.map { text(of: value[$0.name], $0) }.filter { !$0.isEmpty }
        .joined(separator: " · ")
    }
    if let elements = value.array {
      if elements.contains(where: { $0.members != nil }) { return "" }
      let separator = port.says["x-role"].string == "text" ? "" : ", "
      return elements.map { $0.string ?? "\($0)" }.joined(separator: separator)
    }
    return value.isNull || value.bool != nil ? "" : "\(value)"
  }
}
