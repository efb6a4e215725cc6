internal import OffstageJSON

/// The purpose of an input, where its name and type do not imply it.
/// ```swift
/// struct Input: Ports {
///   let placeTapped = In<Int>()  // takes the id of a row of the outputs `places` and `markers`
///   let confirm = In<Trigger>()  // enabled by the output `isConfirmEnabled`
///   let stop = In<Trigger>(.enabled(by: \Output.isReplying))
///   let reachedEnd = In<Trigger>(.end(of: \Output.places))
/// }
/// ```
/// The description of the app contains the roles, so that a front end can draw a screen that it has
/// never seen. A role says what an input does, never how it looks.
@CoreActor
public struct Role<Value> {
  private(set) var statement: Statement

  private init(
    _ word: String, _ role: InputRole? = nil, schema: JSONObject = [:],
    _ keywords: JSONObject = [:], _ references: (keyword: String, target: Reference)...
  ) {
    statement = Statement(
      word: word, role: role?.rawValue, schema: schema, keywords: keywords, references: references)
  }
}

extension Meaning {
  @CoreActor
  init<Value>(_ roles: [Role<Value>]) {
    // A key path of a generic type would be created anew for each of a host's thousands of ports.
    self.init(statements: roles.map { $0.statement })
  }
}

extension Role {
  private static func rows(_ word: String, _ role: InputRole, _ rows: RowReference) -> Self {
    Self(word, role, [:], ("x-rows", .rows(rows)))
  }

  /// Takes the id of a row of a list. Pass one role for each list.
  public static func row<O: Ports, Row>(of list: KeyPath<O, Rows<Row>>) -> Self
  where Row.ID == Value {
    rows(".row", .row, RowReference(list: list, takesID: true))
  }

  /// Takes the ids of a row and of an element of a list within it, as two members of an object.
  /// ```swift
  /// let cardTapped = In<CardPlace>(.row(of: \Output.shelves, \.cards, as: \.shelf, \.card))
  /// ```
  public static func row<O: Ports, Row, Element: Identifiable>(
    of list: KeyPath<O, Rows<Row>>, _ inner: KeyPath<Row, [Element]>,
    as outerID: KeyPath<Value, Row.ID>, _ innerID: KeyPath<Value, Element.ID>
  ) -> Self {
    rows(".row", .row, RowReference(list: list, inner: inner, ids: [outerID, innerID]))
  }

  /// Moves a row of a list: takes its id, and the id of the row below its new place, if any.
  /// ```swift
  /// let songMoved = In<Move>(.move(in: \Output.songs, \.song, before: \.next))
  /// ```
  /// A type with a member `before` and an input whose name ends in `Moved` imply this.
  public static func move<O: Ports, Row>(
    in list: KeyPath<O, Rows<Row>>, _ id: KeyPath<Value, Row.ID>,
    before: KeyPath<Value, Row.ID?>
  ) -> Self {
    rows(".move", .move, RowReference(list: list, ids: [id], before: before))
  }

  /// Sorts a list: takes the name of the member of its rows to sort by, and the direction.
  /// ```swift
  /// struct Order: Codable, Equatable { var column = Column.name, isDescending = false }
  /// let order = Field(
  ///   Order(), roles: .sort(of: \Output.songs, by: \.column, descending: \.isDescending))
  /// ```
  /// The cases of an enum are the members that can be chosen.
  public static func sort<O: Ports, Row, Column>(
    of list: KeyPath<O, Rows<Row>>, by column: KeyPath<Value, Column>,
    descending: KeyPath<Value, Bool>
  ) -> Self {
    rows(".sort", .sort, RowReference(list: list, column: column, descending: descending))
  }

  /// Switches a member of the row that the input takes. `bookmarkTapped` and a member `isBookmarked`
  /// imply this.
  public static func shows<Row>(_ member: KeyPath<Row, Bool>) -> Self {
    Self(".shows", nil, [:], ("x-shows", .rowMember(member)))
  }

  /// The input is enabled while an output is true. Front ends show the description in the ``Label`` of
  /// the output beside a disabled input.
  public static func enabled<O: Ports>(by output: KeyPath<O, Out<Bool>>) -> Self {
    Self(".enabled", nil, [:], ("x-enabledBy", .output(output)))
  }

  /// The input is shown while an output is true.
  public static func visible<O: Ports>(by output: KeyPath<O, Out<Bool>>) -> Self {
    Self(".visible", nil, [:], ("x-visibleBy", .output(output)))
  }

  /// Takes a value that front ends have no control for.
  public static var value: Self { Self(".value", .value) }

  /// Not for people: front ends do not draw it. Scripts and agents may send it.
  public static var hidden: Self { Self(".hidden", .hidden) }

  private static func purpose(_ purpose: Purpose) -> Self {
    Self("." + purpose.rawValue, nil, ["x-purpose": .string(purpose.rawValue)])
  }

  private static func weight(_ weight: Weight) -> Self {
    Self("." + weight.rawValue, nil, ["x-weight": .string(weight.rawValue)])
  }

  /// The main action of the screen: the button that the Return key presses. At most one of a screen.
  public static var main: Self { weight(.main) }

  /// Takes something away from the user. A name such as `deleteTapped` implies this.
  public static var destructive: Self { weight(.destructive) }

  /// Leaves without doing anything: the button that the Escape key presses. The names `cancel` and
  /// `close` imply this.
  public static var cancel: Self { weight(.cancel) }
}

extension Role where Value == Trigger {
  /// Loads what the screen shows again. The name `refresh` implies this.
  ///
  /// Front ends offer it in their own way, such as a pull or a key.
  public static var refresh: Self { purpose(.refresh) }

  /// The front end sends it when the end of a list is visible.
  public static func end<O: Ports>(of list: PartialKeyPath<O>) -> Self {
    Self(".end", .lifecycle, ["x-when": "end"], ("x-rows", .rows(RowReference(list: list))))
  }
}

extension Role where Value == PickedFile {
  /// Takes a file that the user picks, or drops on the input. Without this role, it is any file of at
  /// most 8 MiB.
  /// ```swift
  /// let pictureDropped = In<PickedFile>(.file(types: ["image/*"], maxBytes: 1_000_000))
  /// ```
  /// A file that is too large, of another type, or cut off is refused.
  /// - Parameters:
  ///   - types: The accepted types, such as `text/csv` or `image/*`; empty for all.
  ///   - maxBytes: The size of the largest file. The file travels in one message, so its limit
  ///     (`--max-line`, by default 16 MiB) must leave room for a third more.
  public static func file(types: [String] = [], maxBytes: Int = 8 << 20) -> Self {
    let choice = FileChoice(types: types, maxBytes: maxBytes)
    var role = Self(".file", .file, ["x-accepts": JSON(encoding: choice)])
    role.statement.files = choice
    return role
  }
}

extension Role where Value: TextContent {
  /// Takes a text that others must not read. A name like `passwordText` implies this.
  ///
  /// The core masks it in the document and in recordings, and front ends do not show it.
  public static var secret: Self { Self(".secret", nil, ["x-secret": true]) }

  /// Searches. The names `searchText` and `query` imply this.
  public static var search: Self { purpose(.search) }

  /// Searches, and shows what it finds in a list.
  public static func search<O: Ports>(in list: PartialKeyPath<O>) -> Self {
    Self(
      ".search", nil, ["x-purpose": .string(Purpose.search.rawValue)],
      ("x-rows", .rows(RowReference(list: list))))
  }

  /// Takes an email address. A name like `emailText` implies this.
  public static var email: Self { purpose(.email) }

  /// Takes the address of a page. A name like `urlText` implies this.
  public static var url: Self { purpose(.url) }

  /// Takes a phone number. A name like `phoneText` implies this.
  public static var phone: Self { purpose(.phone) }

  /// Takes several lines. The names `messageText`, `descriptionText`, `noteText`, and `bodyText`
  /// imply this.
  public static var long: Self { purpose(.long) }

  /// Takes the name of a person.
  public static var name: Self { purpose(.name) }

  /// Takes a day, such as `2026-01-31`.
  public static var date: Self { Self(".date", schema: ["format": "date"]) }

  /// Takes a time of day, such as `09:30`.
  public static var time: Self { Self(".time", schema: ["format": "time"]) }
}
