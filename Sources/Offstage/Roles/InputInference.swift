internal import OffstageJSON

/// The roles that follow from the names and types of inputs.
extension ScreenPorts {
  func infer(_ port: Described) -> JSONObject {
    guard let input = port.port.asInput else { return [:] }
    let stem = port.stem
    if input.valueType == Trigger.self { return trigger(port.name, stem) }
    let (type, isOptional) = unwrapped(input.valueType)
    var role = role(of: type, isOptional)
    var rows: [JSON] = []
    if port.port.asField == nil, !isOptional, stem.verb != "text", role != .toggle {
      rows = lists(for: type, stem).map { ["list": .string($0), "member": "id"] }
      if !rows.isEmpty {
        role = .row
      } else if stem.isMove {
        rows = moves(of: type, stem)
        if !rows.isEmpty { role = .move }
      }
    }
    // A field would keep the file in the document.
    if type == PickedFile.self, port.port.asField == nil, !isOptional { role = .file }
    var keywords: JSONObject = ["x-role": .string(role.rawValue)]
    if !rows.isEmpty { keywords["x-rows"] = .array(rows) }
    if role == .file { keywords["x-accepts"] = JSON(encoding: FileChoice()) }
    keywords["x-enabledBy"] = enabling(stem).map { .string($0) }
    if input.isSecret(port.words) { keywords["x-secret"] = true }
    if role == .text, keywords["x-secret"] == nil { findPurpose(stem, &keywords) }
    return keywords
  }

  private func trigger(_ name: String, _ stem: InputStem) -> JSONObject {
    let moments = ["didAppear": "appear", "didDisappear": "disappear", "reachedEnd": "end"]
    guard let when = moments[name] else {
      var keywords: JSONObject = ["x-role": .string(InputRole.trigger.rawValue)]
      if stem.subject == ["refresh"] { keywords["x-purpose"] = .string(Purpose.refresh.rawValue) }
      keywords["x-enabledBy"] = enabling(stem).map { .string($0) }
      return keywords
    }
    var keywords: JSONObject = [
      "x-role": .string(InputRole.lifecycle.rawValue), "x-when": .string(when),
    ]
    if when == "end", let list = onlyList { keywords["x-rows"] = [["list": .string(list)]] }
    return keywords
  }

  private func role(of type: any Any.Type, _ isOptional: Bool) -> InputRole {
    switch type {
    case is Bool.Type: isOptional ? .choice : .toggle
    case is String.Type: .text
    case is Int.Type, is Double.Type: .value
    case is any (CaseIterable & RawRepresentable).Type: .choice
    default: .value
    }
  }

  // MARK: Rows

  /// The only list whose rows have ids; nil if there are several.
  var onlyList: String? {
    let lists = outputs.filter {
      $0.port.asOutput?.rowTypes != nil || $0.port.partType?.idType != nil
    }
    return lists.count == 1 ? lists[0].name : nil
  }

  /// The lists whose rows have ids of a type: those that `stem` names, and all lists of the same
  /// rows; or else, for a tap, the only list.
  private func lists(for id: any Any.Type, _ stem: InputStem) -> [String] {
    let lists = outputs.compactMap { output in
      output.port.asOutput?.rowTypes.map { (name: output.name, words: output.words, types: $0) }
    }.filter { $0.types.id == id }
    let named = lists.filter { stem.names($0.words, rows: $0.types.row) }.map { $0.types.row }
    if !named.isEmpty {
      return lists.filter { list in named.contains { $0 == list.types.row } }.map(\.name)
    }
    return lists.count == 1 && stem.isTap ? lists.map(\.name) : []
  }

  /// The lists whose rows a type moves: it has the id of a row, and as `before` another one or nil.
  private func moves(of type: any Any.Type, _ stem: InputStem) -> [JSON] {
    guard let type = type as? any Decodable.Type, let sample = try? catalog.probe(type).sample
    else { return [] }
    let members = Mirror(reflecting: sample).children.compactMap { child in
      child.label.map { (name: $0, type: unwrapped(Swift.type(of: child.value))) }
    }
    guard let before = members.first(where: { $0.name == "before" && $0.type.isOptional })?.type,
      let id = members.first(where: { $0.type.type == before.type && !$0.type.isOptional })?.name
    else { return [] }
    return lists(for: before.type, stem).map { list in
      [
        "list": .string(list), "members": .object([id: .string(list + "/*/id")]),
        "before": "before",
      ]
    }
  }

  /// The state of a row that `bookmarkTapped` switches: its member `isBookmarked`.
  func shown(_ port: Described, _ keywords: JSONObject) -> JSON? {
    let stem = port.stem
    guard keywords["x-role"]?.string == InputRole.row.rawValue, stem.verb != nil,
      let subject = stem.subject.last, let list = keywords["x-rows"]?[0]?["list"]?.string
    else { return nil }
    return rowMembers(list).members.first { name, schema in
      let words = name.words
      return schema["x-role"]?.string == MemberRole.state.rawValue && words.count == 2
        && words[1].hasPrefix(subject)
    }.map { .string("\(list)/*/\($0.key)") }
  }

  // MARK: Texts

  private static let purposes: [String: Purpose] = [
    "search": .search, "query": .search, "email": .email, "url": .url, "phone": .phone,
    "message": .long, "description": .long, "note": .long, "notes": .long, "body": .long,
  ]

  /// `emailText` takes an email address. Without the word `text`, only `query` says enough.
  private func findPurpose(_ stem: InputStem, _ keywords: inout JSONObject) {
    guard stem.verb == "text" || stem.subject == ["query"],
      let purpose = Self.purposes[stem.subject.last ?? ""]
    else { return }
    keywords["x-purpose"] = .string(purpose.rawValue)
    guard purpose == .search else { return }
    let results = outputs.first { $0.name == "results" && $0.shape.kinds == .objects }?.name
    if let list = results ?? onlyList { keywords["x-rows"] = [["list": .string(list)]] }
  }

  // MARK: Enabling

  /// The output `isConfirmEnabled` or `canConfirm` for the input `confirm` or `confirmTapped`.
  private func enabling(_ stem: InputStem) -> String? {
    outputs.first { output in
      guard output.shape.kinds == .boolean, !output.shape.isNullable else { return false }
      return stem.alternatives.contains {
        output.words == ["is"] + $0 + ["enabled"] || output.words == ["can"] + $0
      }
    }?.name
  }

  // MARK: Weights

  private static let mainSubjects: [[String]] = [
    ["confirm"], ["save"], ["send"], ["submit"], ["add"], ["sign", "in"], ["sign", "up"],
  ]

  /// Finds the main input of a form, and those that take something away.
  /// - Throws: `PortError` for two main inputs.
  mutating func findWeights() throws(PortError) {
    let main = inputs.filter { $0.keywords["x-weight"]?.string == Weight.main.rawValue }
    if main.count > 1 {
      throw error(
        main[1], "is declared as .main, and so is \"\(main[0].name)\": a screen has one main input")
    }
    for input in inputs { try checkWeight(of: input) }
    var hasMain = !main.isEmpty || !isScreen || !hasForm
    for index in inputs.indices where inputs[index].keywords["x-weight"] == nil {
      let isTrigger = inputs[index].role == InputRole.trigger.rawValue
      guard isTrigger || inputs[index].role == InputRole.row.rawValue,
        let weight = weight(of: inputs[index].stem, mayBeMain: !hasMain && isTrigger)
      else { continue }
      hasMain = hasMain || weight == .main
      inputs[index].keywords["x-weight"] = .string(weight.rawValue)
    }
  }

  /// Refuses a weight of what is no button, and a second one.
  private func checkWeight(of input: Described) throws(PortError) {
    let weights = input.port.meaning.statements.filter { $0.keywords["x-weight"] != nil }
    guard let weight = weights.last else { return }
    if weights.count > 1 {
      throw error(input, "is both \(weights[0].word) and \(weight.word): choose one")
    }
    guard [InputRole.trigger, .row].contains(where: { $0.rawValue == input.role }) else {
      throw error(input, "is declared as \(weight.word), which is for a button or a row")
    }
  }

  /// True for a screen with a field for a text that is not searched for.
  private var hasForm: Bool {
    inputs.contains {
      $0.port.asField != nil && $0.role == InputRole.text.rawValue
        && $0.keywords["x-purpose"]?.string != Purpose.search.rawValue
    }
  }

  private func weight(of stem: InputStem, mayBeMain: Bool) -> Weight? {
    if mayBeMain, Self.mainSubjects.contains(stem.subject) || stem.subject.first == "create" {
      return .main
    }
    let isRemoval =
      ["delete", "remove", "clear"].contains(stem.subject.first)
      || ["deleted", "removed"].contains(stem.verb) || stem.subject == ["sign", "out"]
    if isRemoval { return .destructive }
    return [["cancel"], ["close"], ["not", "now"]].contains(stem.subject) ? .cancel : nil
  }

  private func unwrapped(_ type: any Any.Type) -> (type: any Any.Type, isOptional: Bool) {
    // Checks the name first: a cast that fails searches the conformances of the whole program.
    guard _typeName(type, qualified: true).hasPrefix("Swift.Optional<"),
      let optional = type as? any OptionalType.Type
    else { return (type, false) }
    return (optional.wrapped, true)
  }
}
