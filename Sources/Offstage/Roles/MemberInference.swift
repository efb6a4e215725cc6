internal import OffstageJSON

/// The roles that follow from the names and types of the members of an object.
enum MemberInference {
  private static let states: [String: RowState] = [
    "unread": .unread, "done": .done, "selected": .selected, "disabled": .disabled,
    "favorite": .favorite, "starred": .favorite, "bookmarked": .favorite,
  ]

  /// The state of a row that the name of a Boolean says, such as `isDone`.
  static func state(_ name: String) -> RowState? {
    let words = name.words
    return words.count == 2 && words[0] == "is" ? states[words[1]] : nil
  }

  private static func role(
    of name: String, _ schema: JSON, _ shape: ValueShape, _ catalog: SchemaCatalog
  ) -> MemberRole? {
    if name == "id" { return .hidden }
    if schema["contentMediaType"]?.string?.hasPrefix("image/") == true || shape.isPicture {
      return .picture
    }
    switch shape.kinds {
    case .boolean: return state(name) == nil ? nil : .state
    case .number:
      if ["badge", "unread", "unreadCount"].contains(name) { return .badge }
      if name == "progress", !shape.isInteger { return .progress }
    case .text:
      if ["subtitle", "section", "badge"].contains(name) { return MemberRole(rawValue: name) }
      if name == "alt" || name.hasSuffix("Alt") { return .alt }
    case .texts: return name == "pieces" ? .text : nil
    case .object: return isCounted(shape, catalog) ? .progress : nil
    default: break
    }
    return nil
  }

  /// Adds roles to the members of an object, beside those that are declared.
  static func addRoles(
    to properties: inout JSONObject, isRow: Bool, _ catalog: SchemaCatalog
  ) {
    let shapes = properties.members.map { catalog.shape(of: $0.value) }
    var taken = Set(properties.members.compactMap { $0.value["x-role"]?.string })
    for ((name, schema), shape) in zip(properties.members, shapes) where schema["x-role"] == nil {
      // A row has many states, and one of everything else.
      guard let role = role(of: name, schema, shape, catalog),
        [.state, .hidden].contains(role) || taken.insert(role.rawValue).inserted
      else { continue }
      properties[name]?["x-role"] = .string(role.rawValue)
      if role == .state, let state = state(name) {
        properties[name]?["x-state"] = .string(state.rawValue)
      }
    }
    for ((name, schema), shape) in zip(properties.members, shapes)
    where schema["x-role"]?.string == MemberRole.progress.rawValue {
      properties[name] = schema.adding(counts(in: shape))
    }
    guard !taken.contains(MemberRole.title.rawValue) else { return }
    let members = zip(properties.members, shapes).filter { $0.0.value["x-role"] == nil }
    let title =
      ["title", "name", "label"].lazy.compactMap { name in
        members.first { $0.0.key == name && $0.1.kinds == .text }
      }.first ?? (isRow ? members.first { $0.1.isPlainText } : nil)
    if let title { properties[title.0.key]?["x-role"] = .string(MemberRole.title.rawValue) }
  }

  // MARK: Progress

  /// True for an object with the integers `done` and `total`, which is progress under any name.
  static func isCounted(_ shape: ValueShape, _ catalog: SchemaCatalog) -> Bool {
    ["done", "total"].allSatisfy { name in
      shape.properties[name].map { catalog.shape(of: $0).isInteger } == true
    }
  }

  /// The members that say how far work is; nothing for a share, which is a number.
  static func counts(in shape: ValueShape) -> JSONObject {
    guard shape.kinds == .object else { return [:] }
    return ["x-done": "done", "x-total": "total"]
  }

  /// The mistake of progress that is an object without these members; nil for none.
  static func mistake(inProgress shape: ValueShape, _ catalog: SchemaCatalog) -> String? {
    guard shape.kinds == .object, !isCounted(shape, catalog) else { return nil }
    return "is declared as .progress, but has no integers \"done\" and \"total\""
  }

  static func isCoordinate(_ members: JSONObject) -> Bool {
    members.count == 2
      && ["latitude", "longitude"].allSatisfy { members[$0]?["type"]?.string == "number" }
  }

  // MARK: Declared meanings

  /// Adds what the author says to the schema of a member.
  static func add(
    _ meaning: Meaning, to member: JSON, _ catalog: SchemaCatalog
  ) throws(MemberError) -> JSON {
    var schema = member
    let shape = catalog.shape(of: member)
    for statement in meaning.statements {
      if let role = statement.role {
        guard MemberRole(rawValue: role) != nil, statement.references.isEmpty else {
          throw MemberError("is declared as \(statement.word), which only an output can be")
        }
        guard schema["x-role"] == nil else {
          throw MemberError("has two roles: choose one")
        }
        schema["x-role"] = .string(role)
      }
      guard !statement.kinds.isDisjoint(with: shape.kinds) else {
        throw MemberError(
          "is declared as \(statement.word), which is for \(statement.kinds.description), but is "
            + shape.kinds.description)
      }
      if statement.role == MemberRole.progress.rawValue,
        let mistake = mistake(inProgress: shape, catalog)
      {
        throw MemberError(mistake)
      }
      schema = schema.adding(statement.schema).adding(statement.keywords)
    }
    return schema
  }

  /// Two members with a role that only one can have.
  static func repeatedRole(in properties: JSONObject) -> (String, String)? {
    var names: [String: String] = [:]
    for (name, schema) in properties.members {
      guard let role = schema["x-role"]?.string.flatMap(MemberRole.init),
        [.title, .subtitle, .section, .text].contains(role)
      else { continue }
      if let other = names.updateValue(name, forKey: role.rawValue) { return (other, name) }
    }
    return nil
  }
}

struct MemberError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
