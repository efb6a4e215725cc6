internal import OffstageJSON

/// The roles that follow from the names and types of outputs and events, and from the inputs.
extension ScreenPorts {
  /// - Throws: `PortError` for a meaning that is impossible.
  mutating func findOutputRoles() throws(PortError) {
    for index in outputs.indices {
      outputs[index].keywords = try declared(of: outputs[index], over: [:])
    }
    for role in [OutputRole.title, .subtitle] { try checkIsUnique(role) }
    for index in outputs.indices where outputs[index].role == nil {
      guard let role = inferRole(of: outputs[index]) else { continue }
      outputs[index].keywords["x-role"] = .string(role.rawValue)
    }
    if isRow { findRolesOfRow() }
    for index in outputs.indices {
      guard let role = outputs[index].role.flatMap(OutputRole.init) else { continue }
      try findRelations(of: role, at: index)
    }
    findDerivedRoles()
    findChoices()
    for output in outputs where ["empty", "more"].contains(output.role) {
      try checkLists(of: output)
    }
  }

  /// Makes a choice of an input whose values are in an output.
  private mutating func findChoices() {
    let typed = [InputRole.text.rawValue, InputRole.value.rawValue]
    for output in outputs where output.role == OutputRole.options.rawValue {
      for index in inputs.indices
      where output.keywords["x-input"]?.string == inputs[index].name
        && typed.contains(inputs[index].role ?? "")
      {
        inputs[index].keywords["x-role"] = .string(InputRole.choice.rawValue)
        inputs[index].keywords["x-purpose"] = nil
      }
    }
  }

  /// Refuses a port that is about the rows of an output that is not a list.
  func checkLists(of port: Described) throws(PortError) {
    let rows = (port.keywords["x-rows"]?.array ?? []).compactMap { $0["list"] }
    let names = ((port.keywords["x-of"]?.array ?? []) + rows).compactMap(\.string)
      .map { $0.prefix { $0 != "/" } }
    for other in outputs where names.contains(other.name[...]) {
      let isWindow = other.port.asOutput?.windowPort != nil
      if !isWindow, other.shape.kinds.isDisjoint(with: .list) {
        throw error(port, "is about \"\(other.name)\", which is no list")
      }
    }
  }

  private func checkIsUnique(_ role: OutputRole) throws(PortError) {
    let same = outputs.filter { $0.role == role.rawValue }
    guard same.count > 1 else { return }
    throw error(
      same[1],
      "is declared as .\(role), and so is \"\(same[0].name)\": a screen has one \(role)")
  }

  private func has(_ role: OutputRole) -> Bool { outputs.contains { $0.role == role.rawValue } }

  // MARK: Names and types

  private static let work: Set = [
    "adding", "busy", "connecting", "creating", "deleting", "downloading", "exporting", "fetching",
    "importing", "loading", "refreshing", "reloading", "removing", "saving", "searching", "sending",
    "signing", "submitting", "syncing", "updating", "uploading", "working",
  ]

  private func inferRole(of port: Described) -> OutputRole? {
    let (words, shape) = (port.words, port.shape)
    let isEvent = port.port.eventType != nil
    guard let first = words.first, let last = words.last else { return nil }
    switch shape.kinds {
    case .boolean where !isEvent:
      if ["is", "are"].contains(first), words.count > 1 {
        if Self.work.contains(words[1]) { return .busy }
        if last == "stale" { return staleRole(of: words.dropFirst().dropLast()) }
        if words == ["is", "empty"] { return .empty }
      }
      if words.starts(with: ["has", "no"]), words.count > 2 { return .empty }
      if words.starts(with: ["has", "more"]) { return .more }
      if words.count > 2, words.suffix(2) == ["is", "empty"] { return .empty }
    case .number where !isEvent:
      if words.suffix(2) == ["stale", "since"] { return .stale }
      if last == "progress", !shape.isInteger { return .progress }
    case .text:
      if ["failure", "error"].contains(last) || isEvent && last == "failed" { return .failure }
      if last == "notice" { return .notice }
      if !isEvent, words.count == 1, let role = OutputRole(rawValue: first),
        [.title, .subtitle].contains(role), !has(role)
      {
        return role
      }
    case .object: return roleOfObject(port, isEvent)
    default: break
    }
    return port.name == "id" ? .hidden : nil
  }

  /// The outputs of a part in a list are the members of a row.
  private mutating func findRolesOfRow() {
    var members = JSONObject(outputs.map { ($0.name, $0.schema.adding($0.keywords)) })
    MemberInference.addRoles(to: &members, isRow: true, catalog)
    for index in outputs.indices where outputs[index].role == nil {
      for keyword in ["x-role", "x-state"] {
        outputs[index].keywords[keyword] = members[outputs[index].name]?[keyword]
      }
    }
  }

  /// A Boolean beside the time since when the same is out of date says nothing more.
  private func staleRole(of subject: ArraySlice<String>) -> OutputRole {
    let since = [Array(subject) + ["stale", "since"]]
    return outputs.contains { since.contains($0.words) && $0.shape.kinds == .number }
      ? .hidden : .stale
  }

  private func roleOfObject(_ port: Described, _ isEvent: Bool) -> OutputRole? {
    let members = port.shape.properties
    let last = port.words.last ?? ""
    if let message = members["message"], catalog.shape(of: message).kinds == .text {
      if retryable(members) != nil || ["failure", "error"].contains(last)
        || isEvent && last == "failed"
      {
        return .failure
      }
      if isEvent || last == "notice" { return .notice }
    }
    return !isEvent && MemberInference.isCounted(port.shape, catalog) ? .progress : nil
  }

  private func retryable(_ members: JSONObject) -> String? {
    ["retryable", "isRetryable"].first { name in
      members[name].map { catalog.shape(of: $0).kinds == .boolean } == true
    }
  }

  // MARK: Relations

  /// Adds what belongs to a role, unless the author has declared it.
  private mutating func findRelations(
    of role: OutputRole, at index: Int
  ) throws(PortError) {
    let port = outputs[index]
    var found: JSONObject = [:]
    switch role {
    case .busy:
      found["x-of"] = outputs(named: port.words.dropFirst(2), orOnlyListFor: "more")
    case .stale:
      found["x-of"] = outputs(named: subject(ofStale: port.words))
      if port.shape.kinds == .number, port.schema["format"] == nil {
        found["format"] = "unix-time"
        found["x-unit"] = "s"
      }
    case .empty:
      let rest = port.words.drop { ["has", "no"].contains($0) }.prefix { $0 != "is" }
      found["x-of"] = outputs(named: rest) ?? onlyList.map { [.string($0)] }
    case .more:
      let list = pagedList ?? onlyList
      found["x-of"] = outputs(named: port.words.dropFirst(2)) ?? list.map { [.string($0)] }
    case .failure:
      found["x-message"] = try message(of: port)
      found["x-retryable"] = retryable(port.shape.properties).map { .string($0) }
      found["x-retry"] = retry.map { .string($0) }
    case .notice:
      found["x-message"] = try message(of: port)
      let undo = inputs.filter { $0.stem.subject == ["undo"] && isTrigger($0) }
      if !undo.isEmpty { found["x-actions"] = .array(undo.map { .string($0.name) }) }
    case .progress:
      if let mistake = MemberInference.mistake(inProgress: port.shape, catalog) {
        throw error(port, mistake)
      }
      found = MemberInference.counts(in: port.shape)
    case .sections where port.keywords["x-of"] == nil:
      found["x-of"] = sectioned(by: port)
    default: break
    }
    for (keyword, value) in found.members where port.keywords[keyword] == nil {
      outputs[index].keywords[keyword] = value
    }
  }

  /// The outputs whose name these words are.
  private func outputs(
    named words: some Sequence<String>, orOnlyListFor other: String? = nil
  ) -> JSON? {
    let words = Array(words)
    guard !words.isEmpty else { return nil }
    if let output = outputs.first(where: { $0.words == words && $0.port.eventType == nil }) {
      return [.string(output.name)]
    }
    return words == other.map { [$0] } ? (pagedList ?? onlyList).map { [.string($0)] } : nil
  }

  private func subject(ofStale words: [String]) -> [String] {
    words.suffix(2) == ["stale", "since"] ? words.dropLast(2) : words.dropFirst().dropLast()
  }

  /// The list that grows when its end is reached; nil if there are several.
  private var pagedList: String? {
    let ends = inputs.filter { $0.keywords["x-when"] == "end" }
    let main = ends.first { $0.name == "reachedEnd" } ?? (ends.count == 1 ? ends[0] : nil)
    return main?.keywords["x-rows"]?[0]?["list"]?.string
  }

  /// The member with the sentence of a failure or a notice; nil for a text.
  /// - Throws: `PortError` for an object without a text.
  private func message(of port: Described) throws(PortError) -> JSON? {
    guard port.shape.kinds == .object, port.keywords["x-message"] == nil else { return nil }
    let texts = port.shape.properties.members.filter { catalog.shape(of: $0.value).isPlainText }
    if let found = texts.first(where: { $0.key == "message" }) ?? texts.first {
      return .string(found.key)
    }
    throw error(port, "is declared as .\(port.role ?? ""), but has no member with a text")
  }

  private func isTrigger(_ input: Described) -> Bool { input.role == InputRole.trigger.rawValue }

  private var retry: String? {
    let triggers = inputs.filter { $0.words.first == "retry" && isTrigger($0) }
    let exact = triggers.first { $0.stem.subject == ["retry"] }
    return exact?.name ?? (triggers.count == 1 ? triggers[0].name : nil)
  }

  // MARK: Inputs

  /// Finds the outputs that inputs show or follow, and those that inputs choose from.
  private mutating func findDerivedRoles() {
    let conditions = Set(
      inputs.flatMap { input in
        ["x-enabledBy", "x-visibleBy"].compactMap { input.keywords[$0]?.string }
      })
    for index in outputs.indices where outputs[index].role == nil {
      let output = outputs[index]
      guard let port = output.port.asOutput else { continue }
      if conditions.contains(output.name) {
        outputs[index].keywords["x-role"] = .string(OutputRole.condition.rawValue)
      } else if let input = inputs.first(where: { shows($0, output, port) }) {
        outputs[index].keywords["x-role"] = .string(OutputRole.selection.rawValue)
        outputs[index].keywords["x-input"] = .string(input.name)
      } else if let input = onlyChoice(of: output) {
        outputs[index].keywords["x-role"] = .string(OutputRole.options.rawValue)
        outputs[index].keywords["x-input"] = .string(input.name)
      } else if output.words.last == "sections", let lists = sectioned(by: output) {
        outputs[index].keywords["x-role"] = .string(OutputRole.sections.rawValue)
        outputs[index].keywords["x-of"] = lists
      }
    }
  }

  /// True for the output `order` of the input `orderPicked`.
  private func shows(_ input: Described, _ output: Described, _ port: any OutputPort) -> Bool {
    let stem = input.stem
    return stem.verb != nil && stem.verb != "text" && stem.subject == output.words
      && input.port.asInput?.valueType == port.valueType
  }

  /// The only input that chooses from the values of an enum that a list has.
  private func onlyChoice(of output: Described) -> Described? {
    guard let element = output.shape.element, element["$ref"] != nil,
      output.port.asOutput?.rowTypes == nil
    else { return nil }
    let inputs = inputs.filter {
      $0.role == InputRole.choice.rawValue
        && catalog.shape(of: $0.schema).schema == catalog.shape(of: element).schema
    }
    return inputs.count == 1 ? inputs[0] : nil
  }

  /// The lists whose rows name one of these headers in their member `section`.
  private func sectioned(by headers: Described) -> JSON? {
    let id = headers.shape.element.flatMap { catalog.shape(of: $0).properties["id"] }
    guard let kinds = id.map({ catalog.shape(of: $0).kinds }) else { return nil }
    let lists = outputs.filter { list in
      guard list.name != headers.name, let element = list.shape.element else { return false }
      return catalog.shape(of: element).properties.members.contains {
        $0.value["x-role"]?.string == MemberRole.section.rawValue
          && catalog.shape(of: $0.value).kinds == kinds
      }
    }
    return lists.isEmpty ? nil : .array(lists.map { .string($0.name) })
  }
}
