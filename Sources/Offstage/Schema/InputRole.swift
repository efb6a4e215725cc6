internal import OffstageJSON

/// The role of an input: what a person or a front end does to send it, and the outputs it belongs to.
///
/// Names and types are enough for most inputs: see `infer`.
package struct InputRole {
  package enum Kind: String, CaseIterable {
    case trigger, lifecycle, text, choice, toggle, row, move, value
  }

  /// A list whose row the input takes. Paths are those below `output`; `*` stands for each element.
  struct List {
    let path: String
    /// The member of a row that is the value; nil if the row itself has no part in it.
    var member: String?
    /// The members of a value that is an object, and the paths of what they take.
    var members: [(name: String, path: String)] = []
    /// For a move: the member that takes the id of the row below the new place.
    var before: String?
  }

  package var kind: Kind
  /// For a lifecycle: `appear`, `disappear`, or `end`.
  var when: String?
  var lists: [List] = []
  var enabledBy: String?
  var shownBy: String?
  /// True for a text that is not shown while it is typed, such as a password.
  var isSecret = false

  /// The members that describe the role, beside the schema.
  var keywords: JSONObject {
    var keywords: JSONObject = ["x-role": .string(kind.rawValue)]
    keywords["x-when"] = when.map { .string($0) }
    if !lists.isEmpty { keywords["x-rows"] = .array(lists.map(\.json)) }
    keywords["x-enabledBy"] = enabledBy.map { .string($0) }
    keywords["x-shownBy"] = shownBy.map { .string($0) }
    if isSecret { keywords["x-secret"] = true }
    return keywords
  }
}

extension InputRole.List {
  /// A list whose rows the input moves.
  fileprivate init(path: String, moving id: String, before: String) {
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
  /// The roles of the inputs of a screen or part, by their names.
  /// - Throws: `PortError` for a role that refers to no output of the screen or part.
  @CoreActor
  static func all<P: Part>(
    of part: P.Type, _ input: P.Input, _ output: P.Output, _ catalog: SchemaCatalog
  ) throws(PortError) -> [String: InputRole] {
    let outputs = ScreenOutputs(output, catalog)
    var roles: [String: InputRole] = [:]
    for (name, port) in input.named() {
      guard let port = port as? any InputPort else { continue }
      var role = outputs.infer(name, port)
      do { try outputs.apply(port.roles, to: &role) } catch {
        throw PortError("the input \"\(name)\" of \(P.designation) \(error)")
      }
      roles[name] = role
    }
    return roles
  }
}

/// The outputs of a screen, to which roles refer.
@CoreActor
private struct ScreenOutputs {
  private let outputs: any Ports
  private let ports: [(name: String, port: Port)]
  private let catalog: SchemaCatalog

  init(_ outputs: any Ports, _ catalog: SchemaCatalog) {
    self.outputs = outputs
    self.catalog = catalog
    ports = outputs.named()
  }

  // MARK: Declared roles

  func apply(_ declared: [AnyRole], to role: inout InputRole) throws(PortError) {
    if declared.contains(where: \.namesList) { role.lists = [] }
    for declaration in declared {
      switch declaration {
      case .value:
        role.kind = .value
        role.lists = []
      case .row(let list, let inner, let members, let id):
        role.kind = .row
        role.lists.append(try self.list(list, inner, members, id))
      case .move(let list, let id, let before):
        role.kind = .move
        let path = try name(of: list)
        role.lists.append(.init(path: path, moving: try member(id), before: try member(before)))
      case .secret: role.isSecret = true
      case .end(let list):
        role.kind = .lifecycle
        role.when = "end"
        role.lists.append(.init(path: try name(of: list)))
      case .enabled(let output): role.enabledBy = try name(of: output)
      case .shown(let output): role.shownBy = try name(of: output)
      }
    }
  }

  private func list(
    _ list: AnyKeyPath, _ inner: [AnyKeyPath], _ members: [AnyKeyPath], _ id: AnyKeyPath?
  ) throws(PortError) -> InputRole.List {
    var path = try name(of: list)
    // The paths of the rows' ids, from the outer list to the inner one.
    var ids = [path + "/*/id"]
    for step in inner {
      path += "/*/" + (try member(step))
      ids.append(path + "/*/id")
    }
    guard !members.isEmpty else {
      return .init(
        path: path, member: try id.map { path throws(PortError) in try member(path) } ?? "id")
    }
    var taken: [(name: String, path: String)] = []
    for (step, id) in zip(members, ids) { taken.append((try member(step), id)) }
    return .init(path: path, members: taken)
  }

  private func name(of path: AnyKeyPath) throws(PortError) -> String {
    func follow(_ outputs: some Ports) -> Any? { outputs[keyPath: path] }
    guard let port = follow(outputs) as? Port,
      let found = ports.first(where: { $0.port === port })
    else {
      throw PortError("refers to \(path), which is not an output of the screen")
    }
    return found.name
  }

  private func member(_ path: AnyKeyPath) throws(PortError) -> String {
    guard let name = path.memberName else {
      throw PortError("refers to \(path), which is not a stored property")
    }
    return name
  }

  // MARK: Inference

  /// The role that follows from the name and the type of an input.
  func infer(_ name: String, _ port: any InputPort) -> InputRole {
    let stem = InputStem(name)
    if port.valueType == Trigger.self { return trigger(name, stem) }
    let (type, isOptional) = unwrapped(port.valueType)
    var role = InputRole(kind: kind(of: type, isOptional))
    if !port.keepsValue, !isOptional, stem.verb != "text", role.kind != .toggle {
      let lists = lists(for: type, stem)
      let moves = stem.isMove ? moves(of: type, stem) : []
      if !lists.isEmpty {
        role.kind = .row
        role.lists = lists.map { .init(path: $0, member: "id") }
      } else if !moves.isEmpty {
        role.kind = .move
        role.lists = moves
      }
    }
    role.isSecret = role.kind == .text && stem.isSecret
    role.enabledBy = enabling(stem)
    if role.lists.isEmpty, !(port is any FieldPort) { role.shownBy = showing(stem, type) }
    return role
  }

  private func trigger(_ name: String, _ stem: InputStem) -> InputRole {
    let moments = ["didAppear": "appear", "didDisappear": "disappear", "reachedEnd": "end"]
    guard let when = moments[name] else {
      return InputRole(kind: .trigger, enabledBy: enabling(stem))
    }
    var role = InputRole(kind: .lifecycle, when: when)
    let lists = ports.filter {
      ($0.port as? any OutputPort)?.rowTypes != nil || $0.port.partType?.idType != nil
    }
    if when == "end", lists.count == 1 { role.lists = [.init(path: lists[0].name)] }
    return role
  }

  private func kind(of type: any Any.Type, _ isOptional: Bool) -> InputRole.Kind {
    switch type {
    case is Bool.Type: isOptional ? .choice : .toggle
    case is String.Type: .text
    case is any (CaseIterable & RawRepresentable).Type: .choice
    default: .value
    }
  }

  /// The lists whose rows have ids of a type: those that `stem` names, with all lists of the same
  /// rows, or else the only one if the input is a tap.
  private func lists(for id: any Any.Type, _ stem: InputStem) -> [String] {
    let lists = ports.compactMap { name, port in
      (port as? any OutputPort)?.rowTypes.map { (name: name, types: $0) }
    }.filter { $0.types.id == id }
    let named = lists.filter { stem.names($0.name, rows: $0.types.row) }.map { $0.types.row }
    if !named.isEmpty {
      return lists.filter { list in named.contains { $0 == list.types.row } }.map(\.name)
    }
    return lists.count == 1 && stem.isTap ? lists.map(\.name) : []
  }

  /// The lists whose rows a type moves: it has the id of a row, and as `before` another one or nil.
  private func moves(of type: any Any.Type, _ stem: InputStem) -> [InputRole.List] {
    guard let type = type as? any Decodable.Type, let sample = try? catalog.probe(type).sample
    else { return [] }
    let members = Mirror(reflecting: sample).children.compactMap { child in
      child.label.map { (name: $0, type: unwrapped(Swift.type(of: child.value))) }
    }
    guard let before = members.first(where: { $0.name == "before" && $0.type.isOptional })?.type,
      let id = members.first(where: { $0.type.type == before.type && !$0.type.isOptional })?.name
    else { return [] }
    return lists(for: before.type, stem).map { .init(path: $0, moving: id, before: "before") }
  }

  /// The output `isConfirmEnabled` or `canConfirm` for the input `confirm` or `confirmTapped`.
  private func enabling(_ stem: InputStem) -> String? {
    ports.first { name, port in
      guard (port as? any OutputPort)?.valueType == Bool.self else { return false }
      let words = name.words
      return stem.alternatives.contains {
        words == ["is"] + $0 + ["enabled"] || words == ["can"] + $0
      }
    }?.name
  }

  /// The output `query` or `isQuery` for the input `queryText`, if it has the same type.
  private func showing(_ stem: InputStem, _ type: any Any.Type) -> String? {
    ports.first { name, port in
      guard let output = port as? any OutputPort, unwrapped(output.valueType).type == type
      else { return false }
      let words = name.words
      return stem.alternatives.contains { words == $0 || words == ["is"] + $0 }
    }?.name
  }

  private func unwrapped(_ type: any Any.Type) -> (type: any Any.Type, isOptional: Bool) {
    (type as? any OptionalType.Type).map { ($0.wrapped, true) } ?? (type, false)
  }
}

extension AnyRole {
  fileprivate var namesList: Bool {
    switch self {
    case .row, .move, .end: true
    case .enabled, .shown, .secret, .value: false
    }
  }
}

/// The name of an input, taken apart: what it is about, and what happens to it.
private struct InputStem {
  let subject: [String]
  /// The last word, such as `tapped`, if it names what happens; nil for `confirm`.
  let verb: String?

  init(_ name: String) {
    let words = name.words
    verb = words.last.flatMap { words.count > 1 && Label.verbs.contains($0) ? $0 : nil }
    subject = verb == nil ? words : words.dropLast()
  }

  var alternatives: [[String]] { verb.map { [subject, subject + [$0]] } ?? [subject] }

  var isTap: Bool {
    ["tapped", "pressed", "clicked", "selected", "opened"].contains(verb)
      || verb.map { Label.actions[$0] != nil } == true
  }

  var isMove: Bool { Label.actions[verb ?? ""] == "Move" }

  var isSecret: Bool {
    subject.contains { ["password", "passcode", "passphrase"].contains($0) }
  }

  /// True for the list `places` and for rows of the type `PlaceRow`, if the subject is `place`.
  func names(_ list: String, rows: any Any.Type) -> Bool {
    guard let last = subject.last else { return false }
    let words = list.words
    if words.dropLast() == subject.dropLast(),
      [last, last + "s", last + "es", last.dropLast() + "ies"].contains(words.last)
    {
      return true
    }
    let type = TypeName(rows).name.words
    return type.indices.contains(where: { type[$0...].starts(with: subject) })
  }
}

protocol OptionalType {
  static var wrapped: any Any.Type { get }
  /// The value of a missing member.
  static var absent: Self { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
  static var absent: Self { nil }
}
