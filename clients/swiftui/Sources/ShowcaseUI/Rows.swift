import OffstageClient

/// A list and the actions on its rows.
@MainActor
struct RowList {
  /// The name, or the path of a list within rows, such as `shelves/*/cards`.
  let name: String
  let title: String
  let rows: [Row]
  /// The rows, those of the same section together.
  let groups: [Group]
  /// What a tap on a row sends: the first input that neither destroys nor switches something.
  private let tapped: PortDescription?
  /// The other inputs that take a row, those that destroy something last.
  private let others: [PortDescription]
  /// The input that sorts the rows.
  let sorter: PortDescription?
  private let mover: PortDescription?
  private let screen: RemotePart
  private let port: PortDescription
  /// The rows that this list is within, outermost first.
  private let outer: [Value]
  /// What the parts of a list show below their rows, by the id of the row.
  let parts: [String: ScreenPlan]

  /// - Parameters:
  ///   - path: The path of a list within rows.
  ///   - outer: The rows that it is within.
  init(
    port: PortDescription, _ values: [Value], _ screen: RemotePart, path: String? = nil,
    within outer: [Value] = []
  ) {
    let description = screen.description
    let name = path ?? port.name
    (self.name, title, self.screen) = (name, port.title, screen)
    (self.port, self.outer) = (port, outer)
    let inputs = description.rowInputs(of: name).filter(screen.shows)
    tapped = inputs.first { !$0.isDestructive && $0.says["x-shows"].isNull }
    let rest = inputs.filter { [tapped] in $0.name != tapped?.name }
    others = rest.filter { !$0.isDestructive } + rest.filter(\.isDestructive)
    mover = description.rowInputs(of: name, .move).first
    sorter = description.rowInputs(of: name, .sort).first
    let about = screen.partDescription(of: name)
    let members = about?.outputs.filter { $0.role(is: Row.roles) }
    let rows = values.enumerated().map {
      Row($0.element, port, position: $0.offset, members: members, named: about?.title)
    }
    self.rows = rows
    let plans = screen.parts(of: name).map { ScreenPlan(of: $0, isRow: true) }
    parts = Dictionary(zip(rows.map(\.id), plans)) { first, _ in first }
    let headers = description.outputs.filter { output in
      output.role(is: ["sections"]) && output.isAbout(name)
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

  /// Returns the lists within a row, such as the cards of a shelf.
  func lists(in row: Row) -> [RowList] {
    // The lists of a part are in its plan.
    guard parts.isEmpty else { return [] }
    return port.members.filter { !$0.members.isEmpty }.compactMap { member in
      row.value[member.name].array.map {
        RowList(
          port: member, $0, screen, path: "\(name)/*/\(member.name)", within: outer + [row.value])
      }
    }
  }

  /// Successive rows of one section.
  struct Group: Identifiable {
    let section: Value
    let title: String
    var rows: [Row]

    var id: String { rows.first?.id ?? "" }
  }

  /// An input that takes a row, and its state if it is a switch.
  struct Action: Identifiable {
    let input: PortDescription
    let isOn: Bool?
    let isEnabled: Bool

    var id: String { input.name }
    var isDestructive: Bool { input.isDestructive }
  }

  /// What can be done with a row besides a tap.
  func menu(of row: Row) -> [Action] {
    others.map { input in
      let member = input.says["x-shows"].string?.split(separator: "/").last.map(String.init)
      return Action(
        input: input, isOn: member.map { row.value[$0].bool == true },
        isEnabled: screen.enables(input))
    }
  }

  /// The title of the input that moves a row; nil if rows stay in their order.
  var moveTitle: String? { mover?.title }
  var isMovable: Bool { mover != nil }

  /// True if a tap on a row does something.
  func isTappable(_ row: Row) -> Bool {
    tapped.map { screen.enables($0) && !row.states.contains("disabled") } ?? false
  }

  func tap(_ row: Row) {
    if let tapped, isTappable(row) { send(tapped, row) }
  }

  func send(_ input: PortDescription, _ row: Row) {
    guard let rows = input.rows.first(where: { $0.list == name }) else { return }
    screen.send(input.name, rows.value(of: row.value, in: outer))
  }

  /// Moves a row above the one at `offset`, or to the end.
  func move(_ row: Row, to offset: Int) {
    guard let mover, let list = mover.rows.first(where: { $0.list == name }) else { return }
    let below = offset < rows.count ? rows[offset].value : nil
    screen.send(mover.name, list.value(moving: row.value, before: below))
  }

  /// Says that a row has appeared: the end of the list, or one near the end of its window.
  func showed(_ row: Row) {
    guard outer.isEmpty else { return }
    if row.id == rows.last?.id { screen.showedEnd(of: name) }
    guard let count = screen[name]["count"].int, let first = screen[name]["first"].int,
      let index = rows.firstIndex(where: { $0.id == row.id })
    else { return }
    let isNearStart = first > 0 && index < Self.margin / 2
    let isNearEnd = first + rows.count < count && index >= rows.count - Self.margin / 2
    guard isNearStart || isNearEnd else { return }
    let start = max(first + index - Self.margin, 0)
    Task { try? await screen.window(name, first: start, count: 2 * Self.margin) }
  }

  /// The number of rows of a window above and below the one that has appeared.
  private static var margin: Int { 50 }

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
