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
  let declaration: RoleDeclaration

  fileprivate init(_ declare: @escaping (inout InputRole, ScreenOutputs) throws -> Void) {
    declaration = RoleDeclaration(declare: declare)
  }

  fileprivate init(isSecret: Bool) {
    declaration = RoleDeclaration(isSecret: isSecret) { _, _ in }
  }
}

package struct RoleDeclaration {
  /// True for a text that others must not read.
  var isSecret = false
  /// Adds the role to the description of an input of a screen with these outputs.
  let declare: (inout InputRole, ScreenOutputs) throws -> Void
}

extension Role where Value == String {
  /// Takes a text that others must not read. A name like `passwordText` implies this.
  ///
  /// The core masks it in the document and in recordings, and front ends do not show it.
  public static var secret: Self { Self(isSecret: true) }
}

extension Role where Value == String? {
  /// Takes a text that others must not read. A name like `passwordText` implies this.
  ///
  /// The core masks it in the document and in recordings, and front ends do not show it.
  public static var secret: Self { Self(isSecret: true) }
}

extension Role {
  /// Takes the id of a row of a list. Pass one role for each list.
  public static func row<O: Ports, Row>(of list: KeyPath<O, Rows<Row>>) -> Self
  where Row.ID == Value {
    Self { $0.declare(.row, .init(path: try $1.name(of: list), member: "id")) }
  }

  /// Takes a member of a row other than its id.
  public static func row<O: Ports, Row>(
    of list: KeyPath<O, Rows<Row>>, taking member: KeyPath<Row, Value>
  ) -> Self {
    Self { role, outputs in
      role.declare(
        .row, .init(path: try outputs.name(of: list), member: try member.storedName))
    }
  }

  /// Takes the id of an element of a list within the rows of a list.
  public static func row<O: Ports, Row, Element: Identifiable>(
    of list: KeyPath<O, Rows<Row>>, _ inner: KeyPath<Row, [Element]>
  ) -> Self where Element.ID == Value {
    Self { role, outputs in
      let path = "\(try outputs.name(of: list))/*/\(try inner.storedName)"
      role.declare(.row, .init(path: path, member: "id"))
    }
  }

  /// Takes the ids of a row and of an element of a list within it, as two members of an object.
  /// ```swift
  /// let cardTapped = In<CardPlace>(.row(of: \Output.shelves, \.cards, as: \.shelf, \.card))
  /// ```
  public static func row<O: Ports, Row, Element: Identifiable>(
    of list: KeyPath<O, Rows<Row>>, _ inner: KeyPath<Row, [Element]>,
    as outerID: KeyPath<Value, Row.ID>, _ innerID: KeyPath<Value, Element.ID>
  ) -> Self {
    Self { role, outputs in
      let outer = try outputs.name(of: list)
      let path = "\(outer)/*/\(try inner.storedName)"
      let members = [
        (try outerID.storedName, outer + "/*/id"), (try innerID.storedName, path + "/*/id"),
      ]
      role.declare(.row, .init(path: path, members: members))
    }
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
    Self { role, outputs in
      let path = try outputs.name(of: list)
      role.declare(
        .move, .init(path: path, moving: try id.storedName, before: try before.storedName))
    }
  }

  /// The input is enabled while an output is true.
  public static func enabled<O: Ports>(by output: KeyPath<O, Out<Bool>>) -> Self {
    Self { $0.enabledBy = try $1.name(of: output) }
  }

  /// Takes a value that front ends have no control for.
  public static var value: Self {
    Self { role, _ in
      role.kind = .value
      role.lists = []
    }
  }
}

extension Role where Value == Trigger {
  /// The front end sends it when the end of a list is visible.
  public static func end<O: Ports, Row>(of list: KeyPath<O, Rows<Row>>) -> Self {
    atEnd(of: list)
  }

  /// The front end sends it when the end of a list of parts is visible.
  public static func end<O: Ports, Element>(of list: KeyPath<O, Children<Element>>) -> Self {
    atEnd(of: list)
  }

  private static func atEnd<O: Ports>(of list: KeyPath<O, some Port>) -> Self {
    Self { role, outputs in
      role.declare(.lifecycle, .init(path: try outputs.name(of: list)))
      role.when = "end"
    }
  }
}

extension AnyKeyPath {
  /// - Throws: `PortError` for a computed property.
  fileprivate var storedName: String {
    get throws(PortError) {
      guard let name = memberName else {
        throw PortError("refers to \(self), which is not a stored property")
      }
      return name
    }
  }
}

/// The purpose of an input, in full: what a user or a front end does to send it, and the outputs it
/// belongs to.
///
/// The name and the type of an input imply most of it, and a `Role` states the rest.
package struct InputRole {
  enum Kind: String, CaseIterable {
    case trigger, lifecycle, text, choice, toggle, row, move, value
  }

  /// A list whose row the input takes. Paths are those below `output`; `*` stands for each element.
  struct List {
    let path: String
    /// The member of a row that is the value; nil if `members` are, or for the end of a list.
    var member: String?
    /// The members of a value that is an object, and the paths of what they take.
    var members: [(name: String, path: String)] = []
    /// For a move: the member that takes the id of the row below the new place.
    var before: String?
  }

  var kind: Kind
  /// For a lifecycle: `appear`, `disappear`, or `end`.
  var when: String?
  var lists: [List] = []
  var enabledBy: String?
  /// True for a text that others must not read, such as a password.
  var isSecret = false
  private var hasDeclaredLists = false

  init(_ kind: Kind, enabledBy: String? = nil) {
    self.kind = kind
    self.enabledBy = enabledBy
  }

  /// Sets the kind, and adds a list. Declared lists replace those that the name implies.
  mutating func declare(_ kind: Kind, _ list: List) {
    if !hasDeclaredLists { lists = [] }
    hasDeclaredLists = true
    self.kind = kind
    lists.append(list)
  }

  /// The members that describe the role, beside the schema.
  var keywords: JSONObject {
    var keywords: JSONObject = ["x-role": .string(kind.rawValue)]
    keywords["x-when"] = when.map { .string($0) }
    if !lists.isEmpty { keywords["x-rows"] = .array(lists.map(\.json)) }
    keywords["x-enabledBy"] = enabledBy.map { .string($0) }
    if isSecret { keywords["x-secret"] = true }
    return keywords
  }
}

extension InputRole.List {
  /// A list whose rows the input moves.
  init(path: String, moving id: String, before: String) {
    self.init(path: path, members: [(id, path + "/*/id")], before: before)
  }

  fileprivate var json: JSON {
    var object: JSONObject = ["list": .string(path)]
    object["member"] = member.map { .string($0) }
    if !members.isEmpty {
      object["members"] = .object(JSONObject(members.map { ($0.name, .string($0.path)) }))
    }
    object["before"] = before.map { .string($0) }
    return .object(object)
  }
}

extension InputRole {
  /// The role of an input: what follows from its name and type, and what it declares.
  /// - Throws: `PortError` if a role refers to anything but an output of the screen or part.
  @CoreActor
  init(
    of port: any InputPort, named name: String, _ owner: String, _ outputs: ScreenOutputs
  ) throws(PortError) {
    self = outputs.infer(name, port)
    do {
      for role in port.roles { try role.declare(&self, outputs) }
    } catch {
      throw PortError("the input \"\(name)\" of \(owner) \(error)")
    }
  }
}
