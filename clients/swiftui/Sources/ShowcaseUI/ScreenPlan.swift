import Foundation
import OffstageClient

/// The content of a screen as a list of items, made only from its description.
///
/// A view draws the items in order, without any knowledge of the app.
@MainActor
struct ScreenPlan {
  let title: String
  /// A line below the title.
  let subtitle: String?
  let items: [Item]

  enum Item: Identifiable {
    /// Content that a person edits.
    case editor(Editor)
    case file(FilePicker)
    /// An output on one line.
    case line(name: String, title: String, text: String)
    case richText(name: String, RichText)
    case code(name: String, text: String)
    /// A picture by its URI, and its use, such as `avatar`.
    case picture(name: String, uri: String, use: String?, alt: String)
    /// A series, of which each value has a label.
    case chart(name: String, title: String, points: [Point])
    case table(Table)
    /// Work that runs, and how far it is, from 0 to 1; nil if that is unknown.
    case work(name: String, title: String, share: Double?, text: String)
    /// A failure, a message, or what to say about an empty list, and what is offered with it.
    case notice(name: String, text: String, buttons: [Button])
    case list(RowList)
    case button(Button)

    var id: String {
      switch self {
      case .editor(let editor): "editor " + editor.port.name
      case .file(let picker): "file " + picker.port.name
      case .line(let name, _, _): "line " + name
      case .richText(let name, _): "text " + name
      case .code(let name, _): "code " + name
      case .picture(let name, _, _, _): "picture " + name
      case .chart(let name, _, _): "chart " + name
      case .table(let table): "table " + table.list.name
      case .work(let name, _, _, _): "work " + name
      case .notice(let name, _, _): "notice " + name
      case .list(let list): "list " + list.name
      case .button(let button): "button " + button.port.name
      }
    }
  }

  init(of screen: RemoteScreen, _ description: ScreenDescription) {
    let outputs = description.outputs
    let text = { (role: String) in
      outputs.first { $0.role(is: [role]) }.flatMap { screen[$0.name].string }
    }
    title = text("title") ?? description.title
    subtitle = text("subtitle")
    let conditions = description.inputs.flatMap { [$0.enabledBy, $0.says["x-visibleBy"].string] }
    // The app as a whole says only this on every screen.
    let isScope = screen.id == "app"
    let drawn = outputs.filter { port in
      !conditions.contains(port.name) && !port.role(is: Self.elsewhere)
        && (!isScope || port.role(is: ["busy", "failure", "notice", "progress"]))
    }
    .compactMap { Self.item(of: $0, screen, description) }
    let shown = description.inputs.filter { input in
      input.says["x-visibleBy"].string.map { screen[$0].bool ?? true } ?? true
    }
    let fields = Set(description.fields.map(\.name))
    let editors = shown.compactMap { Editor($0, screen, isField: fields.contains($0.name)) }
      .map { Item.editor($0) }
    let files = shown.filter { $0.role == .file }.map {
      Item.file(FilePicker(port: $0, screen: screen))
    }
    let offered = Set((outputs + description.events).flatMap { Self.offers(of: $0) })
    let offeredNow = Set(drawn.flatMap(\.buttons).map(\.port.name))
    let buttons = shown.filter { $0.role == .trigger && !offeredNow.contains($0.name) }
      .map { Button(port: $0, screen: screen, description) }
      .filter { !offered.contains($0.port.name) || $0.port.enabledBy != nil && $0.isEnabled }
    items =
      editors + files + shown.compactMap { Self.rows(in: $0, screen) } + drawn
      + buttons.map { .button($0) }
  }

  /// The objects in a field, which other screens fill in; nil for any other input.
  private static func rows(in port: PortDescription, _ screen: RemoteScreen) -> Item? {
    guard port.role == .value, !port.members.isEmpty,
      let rows = screen.field(port.name).value.array, !rows.isEmpty
    else { return nil }
    let texts = rows.map { row in
      let row = Row(row, port, position: 0)
      return [row.title, row.detail].filter { !$0.isEmpty }.joined(separator: " · ")
    }
    return .line(
      name: "of \(port.name)", title: port.title, text: texts.joined(separator: "\n"))
  }

  /// A value of a chart.
  struct Point: Identifiable {
    let id: Int
    let label: String
    let value: Double
  }

  /// The inputs that are offered with an output, such as the one that tries again.
  private static func offers(of port: PortDescription) -> [String] {
    let actions = port.says["x-actions"].array ?? []
    return (actions + [port.says["x-retry"]]).compactMap(\.string)
  }

  /// The buttons beside the text of an output or an event. Trying again may not help.
  static func buttons(
    with port: PortDescription, _ value: Value, _ screen: RemoteScreen,
    _ description: ScreenDescription
  ) -> [Button] {
    let helps = port.says["x-retryable"].string.flatMap { value[$0].bool } ?? true
    let names = offers(of: port).filter { helps || $0 != port.says["x-retry"].string }
    return description.inputs.filter { names.contains($0.name) }
      .map { Button(port: $0, screen: screen, description) }
  }

  /// The roles of outputs that the title, an input, or a list shows.
  private static let elsewhere = [
    "title", "subtitle", "condition", "selection", "options", "label", "more", "sections", "hidden",
    "alt",
  ]

  private static func item(
    of port: PortDescription, _ screen: RemoteScreen, _ description: ScreenDescription
  ) -> Item? {
    let name = port.name
    let value = port.isWindow ? screen[name]["rows"] : screen[name]
    let port = port.list
    let notice = { (text: String) in
      Item.notice(
        name: name, text: text, buttons: buttons(with: port, value, screen, description))
    }
    switch port.says["x-role"].string {
    case "failure", "notice": return message(of: value, port).map(notice)
    case "empty":
      return value.string.map(notice)
        ?? (value.bool == true ? notice(port.help ?? port.title) : nil)
    case "busy":
      return value.bool == true ? .work(name: name, title: port.title, share: nil, text: "") : nil
    case "stale" where value.bool == false: return nil
    case "progress":
      return Row.share(of: value, port).map { share in
        .work(name: name, title: port.title, share: share, text: Row.amount(of: value, port))
      }
    default: break
    }
    if let rows = value.array, !port.members.isEmpty || port.role(is: ["chart"]) {
      if port.role(is: ["chart"]) {
        return .chart(name: name, title: port.title, points: points(of: rows, port))
      }
      let list = RowList(port: port, rows, description, screen)
      if !rows.isEmpty { return port.role(is: ["table"]) ? .table(Table(list, port)) : .list(list) }
      let isSaid = description.outputs.contains { output in
        output.role(is: ["empty", "busy", "failure"]) && output.isAbout(name)
          && (screen[output.name].string.map { !$0.isEmpty } ?? screen[output.name].bool ?? false)
      }
      return isSaid ? nil : port.placeholder.map(notice)
    }
    let text = Wording.text(of: value, port)
    switch port.schema["contentMediaType"].string {
    case "text/markdown": return text.isEmpty ? nil : .richText(name: name, RichText(text))
    case "text/x-code": return text.isEmpty ? nil : .code(name: name, text: text)
    case let media? where media.hasPrefix("image/"):
      return value.string.map {
        .picture(name: name, uri: $0, use: port.schema["x-picture"].string, alt: port.title)
      }
    default: break
    }
    if let bool = value.bool, text.isEmpty || text == port.title {
      return .line(name: name, title: port.title, text: bool ? "Yes" : "No")
    }
    return text.isEmpty ? nil : .line(name: name, title: port.title, text: text)
  }

  /// The sentence of a failure or a notice; nil if there is none.
  static func message(of value: Value, _ port: PortDescription) -> String? {
    guard port.role(is: ["failure", "notice"]) else { return nil }
    let text = (port.says["x-message"].string.map { value[$0] } ?? value).string ?? ""
    return text.isEmpty ? nil : text
  }

  private static func points(of values: [Value], _ port: PortDescription) -> [Point] {
    let member = { (name: String) in port.members.first { $0.name == port.says[name].string } }
    let (x, y) = (member("x-x"), member("x-y"))
    return values.enumerated().compactMap { at, value in
      guard let height = (y.map { value[$0.name] } ?? value).double else { return nil }
      let label = x.map { Wording.text(of: value[$0.name], $0) } ?? "\(at + 1)"
      return Point(id: at, label: label, value: height)
    }
  }
}

extension ScreenPlan.Item {
  /// The buttons beside a text.
  fileprivate var buttons: [Button] {
    if case .notice(_, _, let buttons) = self { buttons } else { [] }
  }
}

extension PortDescription {
  func role(is roles: [String]) -> Bool {
    says["x-role"].string.map(roles.contains) ?? false
  }

  /// True if the output is about another one, or about the whole screen.
  fileprivate func isAbout(_ output: String) -> Bool {
    says["x-of"].array?.contains { $0.string == output } ?? true
  }
}

/// A text, a choice, a switch, or a value that is typed.
@MainActor
struct Editor {
  let port: PortDescription
  let field: RemoteField
  private let isField: Bool

  /// Creates an editor, or returns nil for an input without a value to edit.
  init?(_ port: PortDescription, _ screen: RemoteScreen, isField: Bool) {
    field = screen.field(port.name)
    let isTyped = port.role == .value && port.members.isEmpty && !field.value.isNull
    guard [.text, .choice, .toggle].contains(port.role) || isTyped else { return nil }
    (self.port, self.isField) = (port, isField)
  }

  /// Lets the core say what is wrong with a text that the person has left.
  func leave() {
    if isField { field.check() }
  }

  var isOn: Bool {
    get { field.value.bool ?? false }
    nonmutating set { field.value = newValue ? true : false }
  }

  /// The content as a person types it.
  var text: String {
    get {
      let value = field.value
      if let array = value.array {
        return array.map { Wording.text(of: $0, port.element) }.joined(separator: ", ")
      }
      return value.isNull ? "" : value.string ?? "\(value)"
    }
    nonmutating set { field.value = Wording.value(of: newValue, port) }
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

/// An input that takes a file.
@MainActor
struct FilePicker {
  let port: PortDescription
  let screen: RemoteScreen

  var rule: FileRule { FileRule(port.says["x-accepts"]) }
  var isEnabled: Bool { port.enabledBy.map { screen[$0].bool ?? true } ?? true }

  /// Sends a file of a media type. Returns why it cannot be taken; nil if it is sent.
  func pick(_ file: URL, _ type: String) -> String? {
    do { screen.send(port.name, try rule.read(file, type)) } catch { return error.description }
    return nil
  }
}

/// A button.
@MainActor
struct Button {
  let port: PortDescription
  let screen: RemoteScreen

  /// The title that an output gives the button, or else the static one.
  let title: String
  /// Why the button is disabled; empty if it is enabled, or if a field says why.
  let reason: String

  init(port: PortDescription, screen: RemoteScreen, _ description: ScreenDescription) {
    (self.port, self.screen) = (port, screen)
    let condition = description.outputs.first { $0.name == port.enabledBy }
    let isSaid = description.fields.contains { screen.field($0.name).error != nil }
    let isOff = condition.map { screen[$0.name].bool == false } ?? false
    reason = isOff && !isSaid ? condition?.help ?? "" : ""
    let label = description.outputs.first {
      $0.role(is: ["label"]) && $0.says["x-input"].string == port.name
    }
    let text = label.flatMap { screen[$0.name].string } ?? ""
    title = text.isEmpty ? port.title : text
  }

  var isEnabled: Bool { port.enabledBy.map { screen[$0].bool ?? true } ?? true }

  func press() { screen.send(port.name) }
}

/// A list and the actions on its rows.
@MainActor
struct RowList {
  let name: String
  let title: String
  let rows: [Row]
  /// The rows, those of the same section together.
  let groups: [Group]
  /// The inputs that take a row. The first one is a tap.
  let inputs: [PortDescription]
  /// The input that sorts the rows.
  let sorter: PortDescription?
  private let mover: PortDescription?
  private let screen: RemoteScreen

  init(
    port: PortDescription, _ values: [Value], _ description: ScreenDescription,
    _ screen: RemoteScreen
  ) {
    (name, title, self.screen) = (port.name, port.title, screen)
    inputs = description.rowInputs(of: name)
    mover = description.rowInputs(of: name, .move).first
    sorter = description.rowInputs(of: name, .sort).first
    rows = values.enumerated().map { Row($0.element, port, position: $0.offset) }
    let headers = description.outputs.filter { output in
      output.role(is: ["sections"]) && output.isAbout(port.name)
    }
    let titles = headers.flatMap { output in
      (screen[output.name].array ?? []).map {
        (id: $0["id"], title: Row($0, output, position: 0).title)
      }
    }
    var groups: [Group] = []
    for row in rows {
      if groups.last?.section != row.section {
        let title = titles.first { $0.id == row.section }?.title
        let own = row.section.isNull ? "" : row.section.string ?? "\(row.section)"
        groups.append(Group(section: row.section, title: title ?? own, rows: []))
      }
      groups[groups.count - 1].rows.append(row)
    }
    self.groups = groups
  }

  /// Successive rows of one section.
  struct Group: Identifiable {
    let section: Value
    let title: String
    var rows: [Row]

    var id: String { rows.first?.id ?? "" }
  }

  /// An input that takes a row and, if it is a switch, whether it is on.
  struct Action: Identifiable {
    let input: PortDescription
    let isOn: Bool?

    var id: String { input.name }
  }

  func actions(on row: Row) -> [Action] {
    inputs.map { input in
      let member = input.says["x-shows"].string?.split(separator: "/").last.map(String.init)
      return Action(input: input, isOn: member.map { row.value[$0].bool == true })
    }
  }

  /// The title of the input that moves a row; nil if rows stay in their order.
  var moveTitle: String? { mover?.title }
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

  /// Sorts the rows by a member, or in the reverse order if they are sorted by it.
  func sort(by member: String) {
    guard let sorter, let rows = sorter.rows.first(where: { $0.list == name }),
      let column = rows.column, let descending = rows.descending
    else { return }
    let field = screen.field(sorter.name)
    let isSame = field.value[column].string == member
    let isReversed = field.value[descending].bool ?? false
    field.value = Value(members: [
      (column, Value(member)), (descending, isSame && !isReversed ? true : false),
    ])
  }
}

/// A row as text.
struct Row: Identifiable, Hashable {
  let id: String
  let title: String
  let detail: String
  /// The id of the header that the row is under; null without sections.
  let section: Value
  /// What is true of the row, such as `unread`.
  let states: Set<String>
  /// The progress of the row, from 0 to 1.
  let share: Double?
  let value: Value

  init(_ value: Value, _ list: PortDescription, position: Int) {
    id = value["id"].isNull ? "#\(position)" : "\(value["id"])"
    let members = list.members
    let of = { (role: String) in members.first { $0.role(is: [role]) } }
    states = Set(
      members.filter { $0.role(is: ["state"]) && value[$0.name].bool == true }
        .compactMap { $0.says["x-state"].string })
    section = of("section").map { value[$0.name] } ?? .null
    share = of("progress").flatMap { Self.share(of: value[$0.name], $0) }
    let texts = members.filter { !$0.role(is: ["section", "progress"]) }.map {
      (port: $0, text: Wording.text(of: value[$0.name], $0))
    }
    .filter { !$0.text.isEmpty }
    let name = texts.first { $0.port.says["x-role"].string == "title" } ?? texts.first
    let rest = texts.filter { $0.port.name != name?.port.name }.map(\.text)
    title = name?.text ?? Wording.text(of: value, list)
    detail = members.isEmpty ? "" : rest.joined(separator: " · ")
    self.value = value
  }

  /// Returns the progress from 0 to 1: the value itself, or a count divided by its total.
  static func share(of value: Value, _ port: PortDescription) -> Double? {
    guard let done = port.says["x-done"].string, let total = port.says["x-total"].string else {
      return value.double
    }
    guard let done = value[done].double, let total = value[total].double else { return nil }
    return total > 0 ? done / total : 0
  }

  /// Writes the progress: `25%`, or `2 / 5 boxes`.
  static func amount(of value: Value, _ port: PortDescription) -> String {
    guard let done = port.says["x-done"].string, let total = port.says["x-total"].string else {
      return value.double.map { Wording.number(($0 * 100).rounded()) + "%" } ?? ""
    }
    let unit = port.says["x-unit"].string.map { " \($0)" } ?? ""
    return "\(value[done]) / \(value[total])\(unit)"
  }
}

/// Rows with columns.
@MainActor
struct Table {
  let list: RowList
  /// The members of the rows that people see, in their order.
  let columns: [PortDescription]

  init(_ list: RowList, _ port: PortDescription) {
    self.list = list
    columns = port.members.filter { !$0.role(is: ["hidden", "alt", "state"]) && $0.name != "id" }
  }

  func text(_ row: Row, _ column: PortDescription) -> String {
    Wording.text(of: row.value[column.name], column)
  }

  /// Sorts by a column, or in the reverse order if the rows are sorted by it.
  func sort(by column: PortDescription) { list.sort(by: column.name) }
}
