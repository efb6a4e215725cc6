internal import OffstageJSON

/// The ports of a screen or part, with what the description says about each of them.
///
/// Names and types imply most roles: `placeTapped` takes the id of a row of `places`, `canConfirm`
/// enables `confirm`, and `isLoading` is true while work runs. Authors declare the others.
@CoreActor
struct ScreenPorts {
  struct Described {
    let name: String
    let words: [String]
    let stem: InputStem
    let port: Port
    let schema: JSON
    let shape: ValueShape
    var keywords: JSONObject = [:]

    /// The `x-role`; nil for a value that is shown by its type.
    var role: String? { keywords["x-role"]?.string }
  }

  /// The screen or part in error messages.
  let owner: String
  let input: any Ports
  let output: any Ports
  let catalog: SchemaCatalog
  /// True for a screen. A part of it has no main input.
  let isScreen: Bool
  /// True for a part that is a row of a list.
  let isRow: Bool
  var inputs: [Described] = []
  var outputs: [Described] = []

  /// Adds a port with the schema of its values.
  mutating func add(
    _ port: Port, _ name: String, _ schema: JSON, to ports: WritableKeyPath<Self, [Described]>
  ) {
    var shape = catalog.shape(of: schema)
    var schema = schema
    for statement in port.meaning.statements where !statement.schema.isEmpty {
      schema = schema.adding(statement.schema)
      shape.schema = shape.schema.adding(statement.schema)
    }
    let words = name.words
    self[keyPath: ports].append(
      Described(
        name: name, words: words, stem: InputStem(words), port: port, schema: schema, shape: shape))
  }

  /// Finds what every port is for.
  /// - Throws: `PortError` for a meaning that is impossible.
  mutating func findRoles() throws(PortError) {
    for index in inputs.indices {
      let inferred = infer(inputs[index])
      var keywords = try declared(of: inputs[index], over: inferred)
      if keywords["x-shows"] == nil { keywords["x-shows"] = shown(inputs[index], keywords) }
      inputs[index].keywords = keywords
      try checkLists(of: inputs[index])
    }
    try findWeights()
    try findOutputRoles()
  }

  /// Adds what the author says to what the names and types imply, and replaces it.
  func declared(of port: Described, over inferred: JSONObject) throws(PortError) -> JSONObject {
    var keywords = inferred
    var role: Statement?
    var rows: [JSON] = []
    // Describe rows after the lists that they are in.
    let statements = port.port.meaning.statements
    for statement in statements.filter({ !$0.isOfRow }) + statements.filter(\.isOfRow) {
      if let name = statement.role {
        // An input takes rows of several lists by one role each.
        if let other = role, other.role != name || statement.references.isEmpty {
          throw error(port, "is both \(other.word) and \(statement.word): choose one")
        }
        role = statement
        if name != inferred["x-role"]?.string {
          for keyword in ["x-rows", "x-purpose"] { keywords[keyword] = nil }
        }
        keywords["x-role"] = .string(name)
      }
      try check(statement, port)
      for (keyword, value) in statement.keywords.members { keywords[keyword] = value }
      for (keyword, target) in statement.references {
        let value = try resolve(target, port, keywords)
        if keyword == "x-rows" { rows.append(value) }
        keywords[keyword] = keyword == "x-rows" ? .array(rows) : value
      }
    }
    return keywords
  }

  /// Refuses a meaning that values of this type cannot have.
  private func check(_ statement: Statement, _ port: Described) throws(PortError) {
    guard statement.kinds.isDisjoint(with: port.shape.kinds) else { return }
    throw error(
      port,
      "is declared as \(statement.word), which is for \(statement.kinds.description), but is "
        + port.shape.kinds.description)
  }

  // MARK: References

  private func resolve(
    _ target: Reference, _ port: Described, _ keywords: JSONObject
  ) throws(PortError) -> JSON {
    switch target {
    case .output(let path): try name(of: path, port)
    case .input(let path): try name(of: path, isInput: true, port)
    case .outputs(let paths):
      .array(try paths.map { path throws(PortError) in try name(of: path, port) })
    case .inputs(let paths):
      .array(try paths.map { path throws(PortError) in try name(of: path, isInput: true, port) })
    case .member(let path): .string(try member(path, of: element(of: port.shape), port))
    case .rowMember(let path): try rowMember(path, port, keywords)
    case .rows(let rows): try resolve(rows, port)
    }
  }

  private func name(
    of path: AnyKeyPath, isInput: Bool = false, _ port: Described
  ) throws(PortError) -> JSON {
    let target = (isInput ? input : output).port(at: path)
    if let target, let found = (isInput ? inputs : outputs).first(where: { $0.port === target }) {
      return .string(found.name)
    }
    let (owner, noun) = (String(reflecting: type(of: path).rootType), isInput ? "input" : "output")
    throw error(port, "refers to \(path) of \(owner), which is not an \(noun) of the screen")
  }

  private func resolve(_ rows: RowReference, _ port: Described) throws(PortError) -> JSON {
    let list = try name(of: rows.list, port).string!
    let inner = try rows.inner.map { path throws(PortError) in try stored(path, port) }
    let path = inner.map { "\(list)/*/\($0)" } ?? list
    var object: JSONObject = ["list": .string(path)]
    if rows.takesID { object["member"] = "id" }
    if !rows.ids.isEmpty {
      var members = JSONObject()
      for (id, place) in zip(rows.ids, [list, path]) {
        members[try stored(id, port)] = .string(place + "/*/id")
      }
      object["members"] = .object(members)
    }
    if let before = rows.before { object["before"] = .string(try stored(before, port)) }
    if let column = rows.column, let descending = rows.descending {
      let name = try stored(column, port)
      object["column"] = .string(name)
      object["descending"] = .string(try stored(descending, port))
      try checkColumns(name, of: list, port)
    }
    return .object(object)
  }

  /// Refuses the case of an enum of columns that is not a member of the rows.
  private func checkColumns(
    _ member: String, of list: String, _ port: Described
  ) throws(PortError) {
    guard let column = port.shape.properties[member],
      let cases = catalog.shape(of: column).schema["enum"]?.array?.compactMap(\.string)
    else { return }
    let members = rowMembers(list)
    if let wrong = cases.first(where: { members[$0] == nil }) {
      throw error(port, "sorts by \"\(wrong)\", which is not a member of the rows of \"\(list)\"")
    }
  }

  private func stored(_ path: AnyKeyPath, _ port: Described) throws(PortError) -> String {
    if let name = path.memberName { return name }
    throw error(port, "refers to \(path), which is not a stored property")
  }

  /// The members of an object, or of the elements of a list.
  private func element(of shape: ValueShape) -> JSONObject {
    shape.element.map { catalog.shape(of: $0).properties } ?? shape.properties
  }

  private func member(
    _ path: AnyKeyPath, of members: JSONObject, _ port: Described
  ) throws(PortError) -> String {
    let name = try stored(path, port)
    if members[name] != nil { return name }
    throw error(port, "refers to \(path), which is not a member of its values")
  }

  private func rowMember(
    _ path: AnyKeyPath, _ port: Described, _ keywords: JSONObject
  ) throws(PortError) -> JSON {
    guard let list = keywords["x-rows"]?[0]?["list"]?.string else {
      throw error(port, "is declared as .shows, but takes no row of a list")
    }
    let name = try member(path, of: rowMembers(list), port)
    return .string("\(list)/*/\(name)")
  }

  /// The members of the rows of a list at a path such as `shelves/*/cards`.
  func rowMembers(_ path: String) -> JSONObject {
    var segments = path.split(separator: "/")[...]
    guard let first = segments.popFirst(), let list = outputs.first(where: { $0.name == first })
    else { return [:] }
    var members = element(of: list.shape)
    while segments.popFirst() != nil, let inner = segments.popFirst() {
      members = members[String(inner)].map { element(of: catalog.shape(of: $0)) } ?? [:]
    }
    return members
  }

  // MARK: Errors

  func error(_ port: Described, _ reason: String) -> PortError {
    PortError("the \(port.port.noun) \"\(port.name)\" of \(owner) \(reason)")
  }
}

extension Ports {
  /// The port at a key path; nil if it leads elsewhere.
  fileprivate func port(at path: AnyKeyPath) -> Port? { self[keyPath: path] as? Port }
}
