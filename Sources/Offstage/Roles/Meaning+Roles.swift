internal import OffstageJSON

/// Roles of outputs and events.
extension Meaning {
  private static func output(
    _ role: OutputRole, _ kinds: ValueKinds, _ references: [(String, Reference)] = [],
    schema: JSONObject = [:]
  ) -> Self {
    Self(
      Statement(
        word: "." + role.rawValue, role: role.rawValue, kinds: kinds, schema: schema,
        references: references.map { (keyword: $0.0, target: $0.1) }))
  }

  private static func outputs(_ paths: [AnyKeyPath]) -> [(String, Reference)] {
    paths.isEmpty ? [] : [("x-of", .outputs(paths))]
  }

  private static func actions(_ paths: [AnyKeyPath]) -> [(String, Reference)] {
    paths.isEmpty ? [] : [("x-actions", .inputs(paths))]
  }

  /// The name of the screen or part, or of a row. A screen shows it instead of its static title.
  public static var title: Self { output(.title, .text) }

  /// A line below the title.
  public static var subtitle: Self { output(.subtitle, .text) }

  /// True while work runs that will change the whole screen.
  public static var busy: Self { output(.busy, .boolean) }

  /// True while work runs that will change these outputs.
  public static func busy<O: Ports>(of paths: PartialKeyPath<O>...) -> Self {
    output(.busy, .boolean, outputs(paths))
  }

  /// The reason that something has failed, or null: a text, or an object with a member `message`.
  public static var failure: Self { output(.failure, [.text, .object]) }

  /// The reason that something has failed, or null, and the input that tries again.
  public static func failure<I: Ports>(retry: KeyPath<I, In<Trigger>>) -> Self {
    output(.failure, [.text, .object], [("x-retry", .input(retry))])
  }

  /// The reason that something has failed, or null, as a member of an object, and the input that
  /// tries again.
  public static func failure<Value, I: Ports>(
    message: KeyPath<Value, String>, retry: KeyPath<I, In<Trigger>>
  ) -> Self {
    output(.failure, .object, [("x-message", .member(message)), ("x-retry", .input(retry))])
  }

  /// The time since when what is shown is out of date, in seconds since 1970, or null. Or a
  /// Boolean that is true if it is.
  public static var stale: Self { output(.stale, [.number, .boolean]) }

  /// The time since when these outputs are out of date, or null, as for ``stale``.
  public static func stale<O: Ports>(of paths: PartialKeyPath<O>...) -> Self {
    output(.stale, [.number, .boolean], outputs(paths))
  }

  /// A short message that the screen takes away itself: a text, or an object with a member
  /// `message`. An event is shown for some seconds.
  public static var notice: Self { output(.notice, [.text, .object]) }

  /// A short message, and the inputs that are offered with it, such as one that undoes something.
  public static func notice<I: Ports>(actions paths: KeyPath<I, In<Trigger>>...) -> Self {
    output(.notice, [.text, .object], actions(paths))
  }

  /// The progress of work, from 0 to 1, or an object with the members `done` and `total`.
  public static var progress: Self { output(.progress, [.number, .object]) }

  /// The progress of work, with the unit of its members `done` and `total`.
  public static func progress(unit: String) -> Self {
    output(.progress, .object, schema: ["x-unit": .string(unit)])
  }

  /// True while a list has nothing to show; or the text to show in its place, or null.
  public static func empty<O: Ports>(of list: PartialKeyPath<O>) -> Self {
    output(.empty, [.boolean, .text], outputs([list]))
  }

  /// The same as ``empty(of:)``, with the inputs that are offered then.
  public static func empty<O: Ports, I: Ports>(
    of list: PartialKeyPath<O>, actions paths: KeyPath<I, In<Trigger>>...
  ) -> Self {
    output(.empty, [.boolean, .text], outputs([list]) + actions(paths))
  }

  /// True if a list can grow at its end.
  public static func more<O: Ports>(of list: PartialKeyPath<O>) -> Self {
    output(.more, .boolean, outputs([list]))
  }

  /// The current value of an input, which shows it.
  public static func selection<I: Ports>(of input: PartialKeyPath<I>) -> Self {
    output(.selection, .any, [("x-input", .input(input))])
  }

  /// The values to choose from for an input.
  public static func options<I: Ports>(for input: PartialKeyPath<I>) -> Self {
    output(.options, .list, [("x-input", .input(input))])
  }

  /// The title of an input, in place of its static one: `Delete 3 files`. Null and an empty text
  /// leave the static one.
  public static func label<I: Ports>(for input: PartialKeyPath<I>) -> Self {
    output(.label, .text, [("x-input", .input(input))])
  }

  /// The headers of the sections of lists: the member ``section`` of their rows is the id of one.
  public static func sections<O: Ports>(of lists: PartialKeyPath<O>...) -> Self {
    output(.sections, .objects, outputs(lists))
  }

  /// Rows with columns, which are the members in their order.
  public static var table: Self { output(.table, .objects) }

  /// Rows with columns, sorted by a member.
  public static func table<Row, Value>(sortedBy member: KeyPath<Row, Value>) -> Self {
    output(.table, .objects, [("x-sortedBy", .member(member))])
  }

  /// A series of numbers.
  public static var chart: Self { output(.chart, .numbers) }

  /// A series of points.
  public static func chart<Point, X, Y>(x: KeyPath<Point, X>, y: KeyPath<Point, Y>) -> Self {
    output(.chart, .objects, [("x-x", .member(x)), ("x-y", .member(y))])
  }

  /// Not for people.
  public static var hidden: Self { output(.hidden, .any) }
}

/// Roles of members of rows, and of the outputs of parts that are rows.
extension Meaning {
  private static func member(
    _ role: MemberRole, _ kinds: ValueKinds, _ keywords: JSONObject = [:]
  ) -> Self {
    Self(
      Statement(word: "." + role.rawValue, role: role.rawValue, kinds: kinds, keywords: keywords))
  }

  /// The text for people who do not see the picture of the row.
  public static var alt: Self { member(.alt, .text) }

  /// A count or a short text that catches the eye.
  public static var badge: Self { member(.badge, [.number, .text]) }

  /// A short value at the end of the row.
  public static var accessory: Self { member(.accessory, .scalar) }

  /// Rows with equal values are under one header.
  public static var section: Self { member(.section, .scalar) }

  /// True while the row is in a state, such as unread.
  public static func state(_ state: RowState) -> Self {
    member(.state, .boolean, ["x-state": .string(state.rawValue)])
  }

  /// The pieces of one text that grows. Front ends join them without a separator.
  public static var text: Self { member(.text, .texts) }
}
