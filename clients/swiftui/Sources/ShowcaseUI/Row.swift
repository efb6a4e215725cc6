import OffstageClient

/// A row, as the pieces that a view draws.
struct Row: Identifiable, Hashable {
  let id: String
  let title: String
  /// The text in the row, such as its details.
  private(set) var lines: [Piece] = []
  /// What is before the text, and what is after it.
  private(set) var leading: [Piece] = [], trailing: [Piece] = []
  /// The id of the header that the row is under; null without sections.
  let section: Value
  /// What is true of the row, such as `unread`.
  let states: Set<String>
  let value: Value

  enum Piece: Hashable {
    case picture(Picture)
    case title(String)
    case subtitle(String)
    /// All details on one line.
    case details(String)
    /// The progress of the row, from 0 to 1.
    case progress(Double)
    case mark(Mark)
    case badge(String)
    case accessory(String)
  }

  /// A state of a row.
  struct Mark: Hashable {
    let state: String
    let title: String

    /// The name of a symbol of Apple's; nil for a state that is only known by its title.
    var symbol: String? {
      [
        "unread": "circle.fill", "done": "checkmark.circle.fill", "selected": "checkmark",
        "favorite": "star.fill", "disabled": "nosign",
      ][state]
    }
  }

  /// The roles of the outputs of a part that its row shows. It shows all members of other rows.
  static let roles = [
    "title", "subtitle", "picture", "alt", "badge", "accessory", "section", "state", "progress",
  ]

  /// - Parameters:
  ///   - members: What the row shows of a part; nil for all members of the elements of the list.
  ///   - name: The title of a part without one of its own.
  init(
    _ value: Value, _ list: PortDescription, position: Int, members: [PortDescription]? = nil,
    named name: String? = nil
  ) {
    id = value["id"].isNull ? "#\(position)" : "\(value["id"])"
    self.value = value
    let members = members ?? list.members
    let of = { (role: String) in members.first { $0.role(is: [role]) } }
    let text = { (port: PortDescription) in Wording.text(of: value[port.name], port) }
    let marks = members.filter { $0.role(is: ["state"]) && value[$0.name].bool == true }
      .map { Mark(state: $0.says["x-state"].string ?? "", title: $0.title) }
    states = Set(marks.map(\.state))
    section = of("section").map { value[$0.name] } ?? .null

    let apart = ["section", "progress", "state", "subtitle", "badge", "accessory"]
    var details = members.filter { !$0.role(is: apart) && !text($0).isEmpty }
    let first = details.firstIndex { $0.role(is: ["title"]) } ?? details.indices.first
    title = first.map { text(details.remove(at: $0)) } ?? name ?? Wording.text(of: value, list)
    lines = [.title(title)]
    if let subtitle = of("subtitle").map(text), !subtitle.isEmpty {
      lines.append(.subtitle(subtitle))
    }
    if !details.isEmpty { lines.append(.details(details.map(text).joined(separator: " · "))) }
    if let port = of("progress"), let share = Self.share(of: value[port.name], port) {
      lines.append(.progress(min(max(share, 0), 1)))
    }

    leading = marks.filter { $0.state == "unread" }.map { .mark($0) }
    leading += Picture.all(in: value, members).prefix(1).map { .picture($0) }
    trailing = marks.filter { $0.state != "unread" }.map { .mark($0) }
    if let badge = of("badge"), value[badge.name] != 0, !text(badge).isEmpty {
      trailing.append(.badge(text(badge)))
    }
    if let accessory = of("accessory").map(text), !accessory.isEmpty {
      trailing.append(.accessory(accessory))
    }
  }

  /// The row on one line, where nothing but text fits.
  var text: String {
    lines.compactMap { piece in
      switch piece {
      case .title(let text), .subtitle(let text), .details(let text): text
      default: nil
      }
    }
    .joined(separator: " · ")
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

/// A picture by its URI.
struct Picture: Hashable {
  let uri: String
  /// The use of the picture, such as `avatar`.
  let use: String?
  /// The text for people who do not see the picture; empty for a decoration.
  let alt: String

  /// Returns the pictures in an object, of which a member may have their text.
  /// - Parameter title: The text without such a member.
  static func all(
    in value: Value, _ members: [PortDescription], orElse title: String = ""
  ) -> [Picture] {
    let alt = members.first { $0.role(is: ["alt"]) }.flatMap { value[$0.name].string } ?? ""
    return members.filter(\.isPicture).compactMap { port in
      value[port.name].string.map {
        Picture(
          uri: $0, use: port.schema["x-picture"].string, alt: alt.isEmpty ? title : alt)
      }
    }
  }
}
