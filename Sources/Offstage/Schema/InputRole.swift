internal import OffstageJSON

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
  var shownBy: String?
  /// True for a text that is not shown while it is typed, such as a password.
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
    keywords["x-shownBy"] = shownBy.map { .string($0) }
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
      for declare in port.roles { try declare(&self, outputs) }
    } catch {
      throw PortError("the input \"\(name)\" of \(owner) \(error)")
    }
  }
}
