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
  /// True if the screen opens at its end, as a chat does.
  let opensAtEnd: Bool

  enum Item: Identifiable {
    /// Content that a person edits.
    case editor(Editor)
    case file(FilePicker)
    case form(ValueForm)
    /// An output on one line.
    case line(name: String, title: String, text: String)
    case richText(name: String, RichText)
    case code(name: String, text: String)
    case picture(name: String, Picture)
    /// A series, of which each value has a label.
    case chart(name: String, title: String, points: [Point])
    case table(Table)
    /// Work that runs, and how far it is, from 0 to 1; nil if that is unknown.
    case work(name: String, title: String, share: Double?, text: String)
    /// A failure, a message, or what to say about an empty list, and what is offered with it.
    case notice(name: String, text: String, buttons: [Button])
    case list(RowList)
    /// A part that stands alone.
    case part(name: String, ScreenPlan)
    case button(Button)

    var id: String {
      switch self {
      case .editor(let editor): "editor " + editor.port.name
      case .file(let picker): "file " + picker.port.name
      case .form(let form): "form " + form.port.name
      case .line(let name, _, _): "line " + name
      case .richText(let name, _): "text " + name
      case .code(let name, _): "code " + name
      case .picture(let name, _): "picture " + name
      case .chart(let name, _, _): "chart " + name
      case .table(let table): "table " + table.list.name
      case .work(let name, _, _, _): "work " + name
      case .notice(let name, _, _): "notice " + name
      case .list(let list): "list " + list.name
      case .part(let name, _): "part " + name
      case .button(let button): "button " + button.port.name
      }
    }
  }

  /// The plan of a screen.
  init(of screen: RemoteScreen, _ app: AppDescription) { self.init(of: RemotePart(screen, app)) }

  /// - Parameters:
  ///   - screen: The screen, or a part of it.
  ///   - name: The title of a part without one of its own.
  ///   - isRow: True to leave out what the row of a part shows.
  init(of screen: RemotePart, named name: String? = nil, isRow: Bool = false) {
    let description = screen.description
    let outputs = description.outputs.filter { !isRow || !$0.role(is: Row.roles) }
    // The app as a whole says less on every screen.
    let isScope = screen.screen.id == "app"
    let text = { (role: String) in
      isScope
        ? nil : description.outputs.first { $0.role(is: [role]) }.flatMap { screen[$0.name].string }
    }
    title = text("title") ?? name ?? description.title
    subtitle = text("subtitle")
    opensAtEnd = outputs.contains(where: \.isFromEnd)
    let conditions = description.inputs.flatMap { [$0.enabledBy, $0.says["x-visibleBy"].string] }
    let drawn = outputs.filter { port in
      !conditions.contains(port.name) && !port.role(is: Self.elsewhere)
        && (!isScope || port.role(is: ["busy", "failure", "notice", "progress", "stale"]))
    }
    .flatMap { port in
      Self.pictures(in: port, screen)
        + [Self.item(of: port, screen)].compactMap(\.self)
    }
    let shown = description.inputs.filter(screen.shows)
    let fields = Set(description.fields.map(\.name))
    let editors = shown.compactMap { port in
      Editor(port, screen, isField: fields.contains(port.name)).map { Item.editor($0) }
        ?? ValueForm(port, screen).map { Item.form($0) }
    }
    let files = shown.filter { $0.role == .file }.map {
      Item.file(FilePicker(port: $0, screen: screen))
    }
    let offered = Set((outputs + description.events).flatMap { Self.offers(of: $0) })
    let offeredNow = Set(drawn.flatMap(\.buttons).map(\.port.name))
    let buttons = shown.filter { $0.role == .trigger && !offeredNow.contains($0.name) }
      .map { Button(port: $0, screen: screen) }
      .filter { !offered.contains($0.port.name) || $0.port.enabledBy != nil && $0.isEnabled }
    items =
      editors + files + shown.compactMap { Self.rows(in: $0, screen) } + drawn
      + buttons.map { .button($0) }
  }

  /// The objects in a field, which other screens fill in; nil for any other input.
  private static func rows(in port: PortDescription, _ screen: RemotePart) -> Item? {
    guard port.role == .value, !port.members.isEmpty,
      let rows = screen.field(port.name).value.array, !rows.isEmpty
    else { return nil }
    let texts = rows.map { Row($0, port, position: 0).text }
    return .line(
      name: "of \(port.name)", title: port.title, text: texts.joined(separator: "\n"))
  }

  /// The pictures in an object. Those in a list are drawn with their rows.
  private static func pictures(in port: PortDescription, _ screen: RemotePart) -> [Item] {
    let value = screen[port.name]
    guard value.members != nil else { return [] }
    return Picture.all(in: value, port.members, orElse: port.title).enumerated()
      .map { .picture(name: "\(port.name) \($0.offset)", $0.element) }
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
    with port: PortDescription, _ value: Value, _ screen: RemotePart
  ) -> [Button] {
    let helps = port.says["x-retryable"].string.flatMap { value[$0].bool } ?? true
    let names = offers(of: port).filter { helps || $0 != port.says["x-retry"].string }
    return screen.description.inputs.filter { names.contains($0.name) }
      .map { Button(port: $0, screen: screen) }
  }

  /// The roles of outputs that the title, an input, or a list shows.
  private static let elsewhere = [
    "title", "subtitle", "condition", "selection", "options", "label", "more", "sections", "hidden",
    "alt",
  ]

  private static func item(
    of port: PortDescription, _ screen: RemotePart
  ) -> Item? {
    let (name, description) = (port.name, screen.description)
    let value = port.isWindow ? screen[name]["rows"] : screen[name]
    let port = port.list
    let notice = { (text: String) in
      Item.notice(
        name: name, text: text, buttons: buttons(with: port, value, screen))
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
    if value.array == nil, let part = screen.parts(of: name).first {
      return .part(name: name, ScreenPlan(of: part, named: port.title))
    }
    if let rows = value.array, !port.members.isEmpty || port.role(is: ["chart"]) {
      if port.role(is: ["chart"]) {
        return .chart(name: name, title: port.title, points: points(of: rows, port))
      }
      let list = RowList(port: port, rows, screen)
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
        .picture(
          name: name, Picture(uri: $0, use: port.schema["x-picture"].string, alt: port.title))
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
  var isDestructive: Bool { says["x-weight"] == "destructive" }
  var isPicture: Bool { schema["contentMediaType"].string?.hasPrefix("image/") ?? false }

  func role(is roles: [String]) -> Bool {
    says["x-role"].string.map(roles.contains) ?? false
  }

  /// True if the output is about another one, or about the whole screen.
  func isAbout(_ output: String) -> Bool {
    says["x-of"].array?.contains { $0.string == output } ?? true
  }
}

extension RemotePart {
  /// True unless an output hides the input.
  func shows(_ input: PortDescription) -> Bool {
    input.says["x-visibleBy"].string.map { self[$0].bool ?? true } ?? true
  }

  /// True unless an output disables the input.
  func enables(_ input: PortDescription) -> Bool {
    input.enabledBy.map { self[$0].bool ?? true } ?? true
  }
}
