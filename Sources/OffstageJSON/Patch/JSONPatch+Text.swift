extension JSONPatch {
  /// Reads a patch document (section 3): an array of operation objects.
  /// - Throws: `JSONPatchError` with the reason `malformed`.
  package init(_ json: JSON) throws(JSONPatchError) {
    guard let elements = json.array else {
      throw JSONPatchError(
        operation: 0, path: "", reason: .malformed("a patch is an array, not \(json.kind.name)"))
    }
    operations = []
    for (index, element) in elements.enumerated() {
      do throws(JSONPatchError.Reason) {
        operations.append(try Operation(element))
      } catch {
        throw JSONPatchError(
          operation: index, path: element["path"]?.string ?? "", reason: error)
      }
    }
  }

  /// The patch document.
  package var json: JSON { .array(operations.map(\.json)) }
}

extension JSONPatch: CustomStringConvertible {
  /// The compact text, as it goes over the wire.
  package var description: String { json.description }
}

extension JSONPatch.Operation {
  /// Reads an operation object (section 4), whose unknown members mean nothing.
  init(_ json: JSON) throws(JSONPatchError.Reason) {
    guard json.kind == .object else {
      throw .malformed("an operation is an object, not \(json.kind.name)")
    }
    let path = try Self.pointer("path", of: json)
    switch json["op"]?.string {
    case "add": self = .add(path, try Self.value(of: json))
    case "remove": self = .remove(path)
    case "replace": self = .replace(path, try Self.value(of: json))
    case "move": self = .move(from: try Self.pointer("from", of: json), to: path)
    case "copy": self = .copy(from: try Self.pointer("from", of: json), to: path)
    case "test": self = .test(path, try Self.value(of: json))
    case nil: throw .malformed("\"op\" is missing or is no string")
    case let name?: throw .malformed("there is no operation \"\(name)\"")
    }
  }

  /// The operation object.
  package var json: JSON {
    switch self {
    case .add(let path, let value):
      ["op": "add", "path": .string(path.description), "value": value]
    case .remove(let path):
      ["op": "remove", "path": .string(path.description)]
    case .replace(let path, let value):
      ["op": "replace", "path": .string(path.description), "value": value]
    case .move(let from, let to):
      ["op": "move", "from": .string(from.description), "path": .string(to.description)]
    case .copy(let from, let to):
      ["op": "copy", "from": .string(from.description), "path": .string(to.description)]
    case .test(let path, let value):
      ["op": "test", "path": .string(path.description), "value": value]
    }
  }

  private static func value(of json: JSON) throws(JSONPatchError.Reason) -> JSON {
    guard let value = json["value"] else { throw .malformed("\"value\" is missing") }
    return value
  }

  private static func pointer(
    _ name: String, of json: JSON
  ) throws(JSONPatchError.Reason) -> JSONPointer {
    guard let text = json[name]?.string else {
      throw .malformed("\"\(name)\" is missing or is no string")
    }
    do throws(JSONError) {
      return try JSONPointer(parsing: text)
    } catch {
      throw .malformed("\"\(name)\" is no JSON Pointer: \(error)")
    }
  }
}
