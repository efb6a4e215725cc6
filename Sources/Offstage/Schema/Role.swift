/// The purpose of an input, where its type and its name do not imply it.
/// ```swift
/// struct Input: Ports {
///   let placeTapped = In<Int>()  // takes the id of a row of the outputs `places` and `markers`
///   let confirm = In<Trigger>()  // enabled by the output `isConfirmEnabled`
///   let stop = In<Trigger>(.enabled(by: \Output.isReplying))
///   let reachedEnd = In<Trigger>(.end(of: \Output.places))
/// }
/// ```
/// The description of the app contains the roles, so that a front end can draw a screen that it has
/// never seen. A role states what an input does, never its looks.
public struct Role<Value> {
  let erased: AnyRole
}

/// A role without the type of its input.
package enum AnyRole {
  case row(of: AnyKeyPath, inner: [AnyKeyPath], members: [AnyKeyPath], id: AnyKeyPath?)
  case move(in: AnyKeyPath, id: AnyKeyPath, before: AnyKeyPath)
  case end(of: AnyKeyPath)
  case enabled(by: AnyKeyPath)
  case shown(by: AnyKeyPath)
  case secret
  case value
}

extension Role {
  /// Takes the id of a row of a list. Several of them name several lists.
  public static func row<O: Ports, Row>(of list: KeyPath<O, Rows<Row>>) -> Self
  where Row.ID == Value {
    Self(erased: .row(of: list, inner: [], members: [], id: nil))
  }

  /// Takes the id of a row of a list.
  public static func row<O: Ports, Row: Identifiable>(of list: KeyPath<O, Out<[Row]>>) -> Self
  where Row.ID == Value {
    Self(erased: .row(of: list, inner: [], members: [], id: nil))
  }

  /// Takes a member of a row other than its id.
  public static func row<O: Ports, Row>(
    of list: KeyPath<O, Rows<Row>>, taking member: KeyPath<Row, Value>
  ) -> Self {
    Self(erased: .row(of: list, inner: [], members: [], id: member))
  }

  /// Takes the id of an element of a list within the rows of a list.
  public static func row<O: Ports, Row, Element: Identifiable>(
    of list: KeyPath<O, Rows<Row>>, _ inner: KeyPath<Row, [Element]>
  ) -> Self where Element.ID == Value {
    Self(erased: .row(of: list, inner: [inner], members: [], id: nil))
  }

  /// Takes the ids of a row and of an element of a list within it, as two members of an object.
  /// ```swift
  /// let cardTapped = In<CardPlace>(.row(of: \Output.shelves, \.cards, as: \.shelf, \.card))
  /// ```
  public static func row<O: Ports, Row, Element: Identifiable>(
    of list: KeyPath<O, Rows<Row>>, _ inner: KeyPath<Row, [Element]>,
    as outerID: KeyPath<Value, Row.ID>, _ innerID: KeyPath<Value, Element.ID>
  ) -> Self {
    Self(erased: .row(of: list, inner: [inner], members: [outerID, innerID], id: nil))
  }

  /// Moves a row of a list: takes its id, and the id of the row below its new place, nil at the end.
  /// ```swift
  /// let songMoved = In<Move>(.move(in: \Output.songs, \.song, before: \.next))
  /// ```
  /// A type with a member `before` and an input whose name ends in `Moved` imply this.
  public static func move<O: Ports, Row>(
    in list: KeyPath<O, Rows<Row>>, _ id: KeyPath<Value, Row.ID>,
    before: KeyPath<Value, Row.ID?>
  ) -> Self {
    Self(erased: .move(in: list, id: id, before: before))
  }

  /// The input is enabled while an output is true.
  public static func enabled<O: Ports>(by output: KeyPath<O, Out<Bool>>) -> Self {
    Self(erased: .enabled(by: output))
  }

  /// An output shows the current value of the input.
  public static func shown<O: Ports>(by output: KeyPath<O, Out<Value>>) -> Self {
    Self(erased: .shown(by: output))
  }

  /// Takes a text that is not shown while it is typed. A name like `passwordText` implies this.
  public static var secret: Self { Self(erased: .secret) }

  /// Takes a value that front ends have no control for.
  public static var value: Self { Self(erased: .value) }
}

extension Role where Value == Trigger {
  /// The front end sends it when the end of a list is visible.
  public static func end<O: Ports, Row>(of list: KeyPath<O, Rows<Row>>) -> Self {
    Self(erased: .end(of: list))
  }

  /// The front end sends it when the end of a list of parts is visible.
  public static func end<O: Ports, Element>(of list: KeyPath<O, Children<Element>>) -> Self {
    Self(erased: .end(of: list))
  }
}
