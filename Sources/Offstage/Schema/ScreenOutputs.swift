/// The outputs of a screen or part. Declared roles refer to them, and their names and types imply
/// the roles of inputs: `placeTapped` takes the id of a row of `places`, and `canConfirm` enables
/// `confirm`.
@CoreActor
package struct ScreenOutputs {
  private let outputs: any Ports
  private let ports: [(name: String, words: [String], port: Port)]
  private let catalog: SchemaCatalog

  init(
    _ outputs: any Ports, _ ports: [(name: String, port: Port)], _ catalog: SchemaCatalog
  ) {
    self.outputs = outputs
    self.ports = ports.map { ($0.name, $0.name.words, $0.port) }
    self.catalog = catalog
  }

  /// - Throws: `PortError` if the path leads to no output of the screen.
  func name<O: Ports>(of path: KeyPath<O, some Port>) throws(PortError) -> String {
    let port = (outputs as? O)?[keyPath: path]
    guard let found = ports.first(where: { $0.port === port }) else {
      throw PortError(
        "refers to \(path) of \(String(reflecting: O.self)), which is not an output of the screen")
    }
    return found.name
  }

  /// The role that follows from the name and the type of an input.
  func infer(_ name: String, _ port: any InputPort) -> InputRole {
    let stem = InputStem(name)
    if port.valueType == Trigger.self { return trigger(name, stem) }
    let (type, isOptional) = unwrapped(port.valueType)
    var role = InputRole(kind(of: type, isOptional))
    if port.asField == nil, !isOptional, stem.verb != "text", role.kind != .toggle {
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
    role.isSecret = port.isSecret(named: name)
    role.enabledBy = enabling(stem)
    return role
  }

  private func trigger(_ name: String, _ stem: InputStem) -> InputRole {
    let moments = ["didAppear": "appear", "didDisappear": "disappear", "reachedEnd": "end"]
    guard let when = moments[name] else {
      return InputRole(.trigger, enabledBy: enabling(stem))
    }
    var role = InputRole(.lifecycle)
    role.when = when
    guard when == "end" else { return role }
    let lists = ports.filter {
      $0.port.asOutput?.rowTypes != nil || $0.port.partType?.idType != nil
    }
    if lists.count == 1 { role.lists = [.init(path: lists[0].name)] }
    return role
  }

  private func kind(of type: any Any.Type, _ isOptional: Bool) -> InputRole.Kind {
    switch type {
    case is Bool.Type: isOptional ? .choice : .toggle
    case is String.Type: .text
    case is Int.Type, is Double.Type: .value
    case is any (CaseIterable & RawRepresentable).Type: .choice
    default: .value
    }
  }

  /// The lists whose rows have ids of a type: those that `stem` names, and all lists of the same
  /// rows; or else, for a tap, the only list.
  private func lists(for id: any Any.Type, _ stem: InputStem) -> [String] {
    let lists = ports.compactMap { name, words, port in
      port.asOutput?.rowTypes.map { (name: name, words: words, types: $0) }
    }.filter { $0.types.id == id }
    let named = lists.filter { stem.names($0.words, rows: $0.types.row) }.map { $0.types.row }
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
    ports.first { _, words, port in
      guard port.asOutput?.valueType == Bool.self else { return false }
      return stem.alternatives.contains {
        words == ["is"] + $0 + ["enabled"] || words == ["can"] + $0
      }
    }?.name
  }

  /// Finds an output such as `confirmEnabled` or `isConfirmDisabled`, whose author took it for one
  /// that enables the input `confirm`.
  func lookalike(_ name: String) -> String? {
    let stem = InputStem(name)
    let marks: Set = ["enable", "enabled", "disable", "disabled", "allow", "allowed"]
    return ports.first { _, words, port in
      guard port.asOutput?.valueType == Bool.self else { return false }
      return stem.alternatives.contains { subject in
        guard let range = words.firstRange(of: subject) else { return false }
        let rest = words[..<range.lowerBound] + words[range.upperBound...]
        return !marks.isDisjoint(with: rest) && rest.allSatisfy { $0 == "is" || marks.contains($0) }
      }
    }?.name
  }

  private func unwrapped(_ type: any Any.Type) -> (type: any Any.Type, isOptional: Bool) {
    // Checks the name first: a cast that fails searches the conformances of the whole program.
    guard _typeName(type, qualified: true).hasPrefix("Swift.Optional<"),
      let optional = type as? any OptionalType.Type
    else { return (type, false) }
    return (optional.wrapped, true)
  }
}

/// The name of an input, taken apart: what it is about, and what happens to it.
struct InputStem {
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
  func names(_ list: [String], rows: any Any.Type) -> Bool {
    guard let last = subject.last else { return false }
    if list.dropLast() == subject.dropLast(),
      [last, last + "s", last + "es", last.dropLast() + "ies"].contains(list.last)
    {
      return true
    }
    let type = TypeName(rows).name.words
    return type.indices.contains(where: { type[$0...].starts(with: subject) })
  }
}
