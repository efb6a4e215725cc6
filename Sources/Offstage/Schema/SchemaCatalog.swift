package import OffstageJSON

/// Collects the types of a description. Each named type is described once, and referred to.
package final class SchemaCatalog {
  /// The schemas by name, each before those that it refers to.
  package private(set) var schemas = JSONObject()
  /// The parts of screens, each after those within it.
  package private(set) var parts: [ScreenDescription] = []
  /// The error of the first port whose type has no schema.
  package private(set) var failure: PortError?
  private let labels: LocalizedLabels?
  private var types: [ObjectIdentifier: Entry] = [:]
  private var names: Set<String>

  private struct Entry {
    let name: String
    /// nil while the type is being described: a lookup then means that it contains itself.
    var sample: Any?
  }

  /// A schema, and a value that lets an enclosing type go on decoding; nil for a type that contains
  /// itself.
  struct Probed {
    let schema: JSON
    let sample: Any?
  }

  /// A catalog with the titles of cases, unless `labels` is nil. No type takes a reserved name.
  package init(labels: LocalizedLabels? = LocalizedLabels(), reserved: some Sequence<String> = []) {
    self.labels = labels
    names = Set(reserved)
  }

  /// The schema of a type: a reference if the type has a name.
  /// - Throws: `SchemaError` for a type whose decoding depends on values.
  package func schema(of type: any Decodable.Type) throws -> JSON { try probe(type).schema }

  /// The schema of the values of a port, which `context` names. For a type without a schema,
  /// returns one that accepts any value, and notes the error as ``failure``.
  /// - Throws: `PortError` for a type whose values cannot be served.
  func schema(
    of type: any Decodable.Type, for context: @autoclosure () -> String
  ) throws(PortError) -> JSON {
    do { return try schema(of: type) } catch {
      guard var error = error as? SchemaError else { throw PortError("\(error)") }
      error.context = context()
      if error.isFatal { throw PortError("\(error)") }
      failure = failure ?? PortError("\(error)")
      return [:]
    }
  }

  /// Describes what the author lists at a place, and adds it to errors that have no closer one.
  func at<Described>(
    _ fileID: StaticString, _ line: UInt, _ describe: () throws(PortError) -> Described
  ) throws(PortError) -> Described {
    let failedBefore = failure != nil
    do throws(PortError) {
      let described = try describe()
      if !failedBefore { failure = failure?.located(at: fileID, line) }
      return described
    } catch { throw error.located(at: fileID, line) }
  }

  /// True if some values of a type have no member of a name. False for a type without a schema.
  func lacksMember(_ name: String, of type: any Decodable.Type) -> Bool {
    guard let schema = try? schema(of: type) else { return false }
    return lacksMember(name, schema)
  }

  private func lacksMember(_ name: String, _ schema: JSON) -> Bool {
    if let reference = schema["$ref"]?.string, let key = reference.split(separator: "/").last {
      return schemas[String(key)].map { lacksMember(name, $0) } ?? false
    }
    if let alternatives = schema["oneOf"]?.array {
      return alternatives.contains { lacksMember(name, $0) }
    }
    return schema["properties"]?.object.map { $0[name] == nil } ?? false
  }

  /// False for a scalar or a container.
  static func isWrittenAsObject(_ type: any Decodable.Type) -> Bool {
    switch type {
    case is String.Type, is Bool.Type, is Double.Type, is Float.Type: false
    case is any SchemaShaped.Type, is any RawRepresentable.Type: false
    default: !integers.contains { $0 == type } && FoundationType(type) == nil
    }
  }

  /// Adds a schema that belongs to no type.
  /// - Returns: A reference to it.
  @discardableResult
  package func add(_ schema: JSON, as name: String) -> JSON {
    names.insert(name)
    schemas[name] = schema
    return Schema.reference(name)
  }

  /// Describes a part of screens, once.
  /// - Returns: The name of its schema, and of its description.
  @CoreActor
  func part<P: Part>(_ type: P.Type) throws(PortError) -> String {
    if let entry = types[ObjectIdentifier(type)] { return entry.name }
    let name = reserveName(for: type)
    let part = try ScreenDescription(type, named: name, P.designation, self)
    var id: JSON?
    if let type = P.idType { id = try schema(of: type, for: "the id of \(P.designation)") }
    add(part.partSchema(id: id), as: name)
    parts.append(part)
    return name
  }

  /// Describes a window of a list, once.
  /// - Parameter rows: The schema of the list.
  /// - Returns: A reference to the schema of the window.
  func window(_ type: any WindowPort.Type, of rows: JSON) -> JSON {
    if let entry = types[ObjectIdentifier(type)] { return Schema.reference(entry.name) }
    let number: JSON = ["type": "integer", "minimum": 0]
    return add(
      Schema.object([
        "count": Schema.nullable(number), "first": number, "rows": rows,
        "failure": Schema.nullable(["type": "string"]),
      ]), as: reserveName(for: type))
  }

  func probe(_ type: any Decodable.Type) throws -> Probed {
    let id = ObjectIdentifier(type)
    if let entry = types[id] {
      return Probed(schema: Schema.reference(entry.name), sample: entry.sample)
    }
    if let known = try unnamed(type) { return known }
    let name = reserveName(for: type)
    let found = try define(type, named: name)
    types[id] = Entry(name: name, sample: found.sample)
    return Probed(schema: add(found.schema, as: name), sample: found.sample)
  }

  /// The schema of a type with a name, in full.
  func define(_ type: any Decodable.Type, named name: String) throws -> Probed {
    switch type as? any SchemaAnnotated.Type {
    case let type as any Union.Type: return try union(type, named: name)
    case let annotated?:
      if let stated = try stated(annotated) { return stated }
      return finished(try self.annotated(try decode(type, named: name), as: annotated), as: name)
    case nil: return finished(try decode(type, named: name), as: name)
    }
  }

  /// The schema that a type states itself; nil if it is to be derived.
  private func stated<T: SchemaAnnotated>(_ type: T.Type) throws -> Probed? {
    guard let (text, sample) = T.schema else { return nil }
    guard let schema = try? JSON(parsing: text) else {
      throw SchemaError(type: type, reason: "its schema is not JSON")
    }
    return Probed(schema: schema, sample: sample)
  }

  /// Has a type decode itself from a probe.
  private func decode<T: Decodable>(_ type: T.Type, named name: String) throws -> Probed {
    let probe = SchemaProbe(self)
    let decoded = Result { try SchemaProbe.$isProbing.withValue(true) { try T(from: probe) } }
    // Only a type that decodes a single value may be an enum with raw values.
    if probe.isSingleValue, let cases = type as? any (CaseIterable & RawRepresentable).Type,
      let found = try enumeration(cases, named: name)
    {
      return found
    }
    do { return Probed(schema: probe.schema, sample: try decoded.get()) } catch {
      throw error as? SchemaError ?? SchemaError(type: type, rejection: error)
    }
  }

  // MARK: Types without a name

  /// The schema of a scalar, a collection, or an optional; nil for a type with a name of its own.
  private func unnamed(_ type: any Decodable.Type) throws -> Probed? {
    switch type {
    case is String.Type: return Probed(schema: ["type": "string"], sample: "")
    case is Bool.Type: return Probed(schema: ["type": "boolean"], sample: false)
    case is Double.Type: return Probed(schema: ["type": "number"], sample: 0.0)
    case is Float.Type: return Probed(schema: ["type": "number"], sample: Float(0))
    case is Trigger.Type: return Probed(schema: ["type": "object"], sample: Trigger())
    case is Empty.Type: return Probed(schema: ["type": "object"], sample: Empty())
    default:
      if let integer = Self.integers.first(where: { $0 == type }) {
        return Probed(schema: ["type": "integer"], sample: zero(of: integer))
      }
      if FoundationType.hasName(of: type), let known = FoundationType(type) {
        return Probed(
          schema: try JSON(parsing: known.schemaText), sample: try known.sample(of: type))
      }
      // Checks the name first: a cast that fails searches the conformances of the whole program.
      guard _typeName(type, qualified: true).hasPrefix("Swift.") else { return nil }
      return try (type as? any SchemaShaped.Type)?.shape(self)
    }
  }

  private static let integers: [any (FixedWidthInteger & Decodable & SendableMetatype).Type] = [
    Int.self, Int64.self, Int32.self, Int16.self, Int8.self,
    UInt.self, UInt64.self, UInt32.self, UInt16.self, UInt8.self,
  ]

  private func zero<T: FixedWidthInteger>(of type: T.Type) -> Any { T.zero }

  // MARK: Enums

  /// The schema of an enum with raw values; nil for raw values that are neither strings nor
  /// integers.
  private func enumeration<T: CaseIterable & RawRepresentable>(
    _ type: T.Type, named name: String
  ) throws -> Probed? {
    guard let first = T.allCases.first else { return nil }
    var values: [JSON] = []
    for value in T.allCases {
      switch value.rawValue {
      case let text as String: values.append(.string(text))
      case let number as Int: values.append(.int(number))
      default: return nil
      }
    }
    var schema: JSONObject = [
      "type": first.rawValue is Int ? "integer" : "string", "enum": .array(values),
    ]
    schema["x-titles"] = labels.map { labels in
      .object(
        JSONObject(
          T.allCases.map { value in
            let title = labels.label("\(name).\(value)", derivedFrom: "\(value)").title
            return ("\(value.rawValue)", .string(title))
          }))
    }
    return Probed(schema: .object(schema), sample: first)
  }

  // MARK: Titles and meanings

  /// Adds the roles and titles of members. An `id` means nothing to a user, and has no title.
  private func finished(_ found: Probed, as name: String) -> Probed {
    guard var members = found.schema["properties"]?.object, !members.isEmpty else { return found }
    MemberInference.addRoles(to: &members, isRow: members["id"] != nil, self)
    var schema = found.schema
    schema["properties"] = .object(members)
    if MemberInference.isCoordinate(members) { schema["format"] = "coordinate" }
    let names = members.members.map(\.key).filter { $0 != "id" }
    if let labels, !names.isEmpty {
      let titles = names.map { member in
        (member, JSON.string(labels.label("\(name).\(member)", derivedFrom: member).title))
      }
      schema["x-titles"] = .object(JSONObject(titles))
    }
    return Probed(schema: schema, sample: found.sample)
  }

  private func annotated<T: SchemaAnnotated>(_ found: Probed, as type: T.Type) throws -> Probed {
    var schema = found.schema
    for (path, meaning) in T.meanings {
      guard let name = path.memberName else {
        throw SchemaError(type: type, reason: "\(path) in its meanings is not a stored property")
      }
      guard let member = schema["properties"]?[name] else { continue }
      do throws(MemberError) {
        schema["properties"]?[name] = try MemberInference.add(meaning, to: member, self)
      } catch {
        throw SchemaError(
          type: type, reason: "its member \"\(name)\" \(error.reason)",
          advice: "Correct its meanings", isFatal: true)
      }
    }
    if let (first, second) = MemberInference.repeatedRole(in: schema["properties"]?.object ?? [:]) {
      throw SchemaError(
        type: type, reason: "its members \"\(first)\" and \"\(second)\" have the same role",
        advice: "Choose one", isFatal: true)
    }
    return Probed(schema: schema, sample: found.sample)
  }

  /// The keywords of an optional Boolean, which takes one of three values.
  func choiceOfThree(titledBy key: String) -> JSONObject {
    var keywords: JSONObject = ["enum": [true, false, .null]]
    keywords["x-titles"] = labels.map { labels in
      let titles = ["true", "false", "null"].map { value in
        (value, JSON.string(labels.titleOfBoolean(value, "\(key).\(value)")))
      }
      return .object(JSONObject(titles))
    }
    return keywords
  }

  // MARK: Names

  /// `SignUp.Argument` is `SignUpArgument`, `Page<Place>` is `PageOfPlace`. The module tells types
  /// apart whose names are the same.
  private func reserveName(for type: Any.Type) -> String {
    let full = TypeName(type)
    var name = full.name
    if names.contains(name) { name = full.module + name }
    var number = 1
    while names.contains(name) {
      number += 1
      name = full.module + full.name + String(number)
    }
    types[ObjectIdentifier(type)] = Entry(name: name)
    add([:], as: name)
    return name
  }
}

/// A container whose schema follows from that of its elements.
private protocol SchemaShaped {
  static func shape(_ catalog: SchemaCatalog) throws -> SchemaCatalog.Probed
}

extension Optional: SchemaShaped where Wrapped: Decodable {
  fileprivate static func shape(_ catalog: SchemaCatalog) throws -> SchemaCatalog.Probed {
    let found = try catalog.probe(Wrapped.self)
    let sample = found.sample.map { $0 as! Wrapped }
    return .init(schema: Schema.nullable(found.schema), sample: sample as Any)
  }
}

extension Array: SchemaShaped where Element: Decodable {
  fileprivate static func shape(_ catalog: SchemaCatalog) throws -> SchemaCatalog.Probed {
    .init(schema: Schema.array(of: try catalog.schema(of: Element.self)), sample: Self())
  }
}

extension Set: SchemaShaped where Element: Decodable {
  fileprivate static func shape(_ catalog: SchemaCatalog) throws -> SchemaCatalog.Probed {
    let array = Schema.array(of: try catalog.schema(of: Element.self))
    return .init(schema: array.adding(["uniqueItems": true]), sample: Self())
  }
}

extension Dictionary: SchemaShaped where Key: Decodable, Value: Decodable {
  fileprivate static func shape(_ catalog: SchemaCatalog) throws -> SchemaCatalog.Probed {
    guard KeyForm(Key.self) != nil else {
      throw SchemaError(
        type: Self.self, reason: "its keys have no text that could name the members of an object",
        advice:
          "Give \(Key.self) raw values if it is an enum, or conform it to CodingKeyRepresentable",
        isFatal: true)
    }
    let values = try catalog.schema(of: Value.self)
    return .init(schema: ["type": "object", "additionalProperties": values], sample: Self())
  }
}
