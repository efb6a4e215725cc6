internal import OffstageJSON

/// What another build of the app has kept of a screen, for ``Screen/migrate(_:from:)`` to change.
///
/// What was kept has the name that it has in `state.json`: `fields/nameText` for a field,
/// `output/detent` for an output, `query` for a ``Kept`` property. What a part had kept is within the
/// output that shows it.
public struct SavedScreen: Sendable {
  var members: JSONObject

  init(_ members: JSONObject) { self.members = members }

  /// Replaces the argument that the screen was opened with.
  /// ```swift
  /// try screen.changeArgument { (id: Int) in Argument(id: id) }
  /// ```
  /// - Throws: An error if the argument is not an `Old`, or what `change` throws.
  public mutating func changeArgument<Old: Decodable, New: Encodable>(
    _ change: (Old) throws -> New
  ) throws {
    members["argument"] = try (members["argument"] ?? .null).changed(change)
    // It leads to the old argument.
    members["url"] = nil
  }

  /// Gives what was kept under one name to the field, output, property, or task that has another name
  /// now. Has no effect if nothing was.
  public mutating func rename(_ old: String, to new: String) {
    changeValues { entry in
      if entry["name"]?.string == old { entry["name"] = .string(new) }
    }
    if let named = members["named"]?.object {
      members["named"] = .object(
        JSONObject(named.members.map { (key: $0.key == old ? new : $0.key, value: $0.value) }))
    }
  }

  /// Replaces what was kept under a name; for a field, the text and what had been saved of it. Has no
  /// effect if nothing was.
  /// ```swift
  /// try screen.change("query") { (words: [String]) in words.joined(separator: " ") }
  /// ```
  /// - Throws: An error if the value is not an `Old`, or what `change` throws.
  public mutating func change<Old: Decodable, New: Encodable>(
    _ name: String, _ change: (Old) throws -> New
  ) throws {
    try changeValues { entry in
      guard entry["name"]?.string == name, var value = entry["value"] else { return }
      if name.utf8.starts(with: "fields/".utf8) {
        for part in ["value", "saved"] { value[part] = try value[part]?.changed(change) }
      } else {
        value = try value.changed(change)
      }
      entry["value"] = value
    }
  }

  /// Changes what each part of an output had kept, of a ``Child`` or of ``Children``. Has no effect if
  /// there was none.
  /// ```swift
  /// try screen.changeParts(of: "output/lines") { $0.rename("fields/text", to: "fields/titleText") }
  /// ```
  /// - Throws: What `change` throws.
  public mutating func changeParts(
    of name: String, _ change: (inout SavedScreen) throws -> Void
  ) rethrows {
    func changed(_ value: JSON) throws -> JSON {
      if let list = value.array { return .array(try list.map(changed)) }
      guard let members = value.object else { return value }
      var part = SavedScreen(members)
      try change(&part)
      return .object(part.members)
    }
    try changeValues { entry in
      if entry["name"]?.string == name { entry["value"] = try entry["value"].map(changed) }
    }
  }

  private mutating func changeValues(_ change: (inout JSON) throws -> Void) rethrows {
    guard var values = members["values"]?.array else { return }
    for index in values.indices { try change(&values[index]) }
    members["values"] = .array(values)
  }
}

extension JSON {
  fileprivate func changed<Old: Decodable, New: Encodable>(
    _ change: (Old) throws -> New
  ) throws -> JSON {
    JSON(encoding: try change(try decode(Old.self)))
  }
}

extension Core {
  /// Reads a screen of a state, or of its queue.
  /// - Parameter version: The version of the other build that has left the state; nil for this build.
  /// - Returns: nil for something else than a screen.
  /// - Throws: `NavigationError` for a screen that cannot be shown, or what `migrate` throws.
  func read(_ state: JSON, from version: String?) throws -> (route: Route, state: JSON)? {
    guard let members = state.object, let kind = state["kind"]?.string else { return nil }
    guard let factory = app.factory(of: kind) else { throw NavigationError.unknownKind(kind) }
    var saved = SavedScreen(members)
    if let version { try factory.migrate(&saved, version) }
    do throws(JSONMismatch) {
      let route = try factory.route(saved.members["argument"] ?? .null)
      return (route, .object(saved.members))
    } catch { throw NavigationError.wrongArgument(kind, error) }
  }

  /// Returns the state of the app's scope, as this build knows it.
  func readScope(_ state: JSON, from version: String?) -> JSON {
    guard let version, let factory = app.scope else { return state }
    var saved = SavedScreen(state.object ?? [:])
    do { try factory.migrate(&saved, version) } catch {
      logLeftOut("the app's scope", error)
      return [:]
    }
    return .object(saved.members)
  }
}
