// The three changes of which all steps of RFC 6902 consist. A container is taken out of its enum
// while it is changed, so that it has one owner and is not copied.
extension JSON {
  /// Section 4.1: inserts an element, sets a member, or becomes the value.
  mutating func add(
    _ value: JSON, at path: ArraySlice<String>
  ) throws(JSONPatchError.Reason) {
    guard let last = path.last else {
      self = value
      return
    }
    try change(at: path.dropLast()) { parent throws(JSONPatchError.Reason) in
      switch parent {
      case .object(var object):
        parent = .null
        object[last] = value
        parent = .object(object)
      case .array(var elements):
        let position = last == "-" ? elements.count : JSONPointer.position(last)
        guard let position, position <= elements.count else {
          throw .noPosition(last, count: elements.count)
        }
        parent = .null
        elements.insert(value, at: position)
        parent = .array(elements)
      case .null, .bool, .number, .string:
        throw .notAContainer(parent.kind)
      }
    }
  }

  /// Section 4.2: takes out a member or an element, which has to be there.
  mutating func remove(at path: ArraySlice<String>) throws(JSONPatchError.Reason) -> JSON {
    guard let last = path.last else { throw .removesRoot }
    return try change(at: path.dropLast()) { parent throws(JSONPatchError.Reason) in
      switch parent {
      case .object(var object):
        guard let value = object[last] else { throw .nothingThere }
        parent = .null
        object[last] = nil
        parent = .object(object)
        return value
      case .array(var elements):
        guard let position = JSONPointer.position(last), position < elements.count else {
          throw .noPosition(last, count: elements.count)
        }
        parent = .null
        let value = elements.remove(at: position)
        parent = .array(elements)
        return value
      case .null, .bool, .number, .string:
        throw .notAContainer(parent.kind)
      }
    }
  }

  /// Section 4.3: puts another value in the place of one that has to be there.
  mutating func replace(
    at path: ArraySlice<String>, with value: JSON
  ) throws(JSONPatchError.Reason) {
    try change(at: path) { place throws(JSONPatchError.Reason) in place = value }
  }

  /// Lends the value at a place to be changed; after an error it is as it was.
  private mutating func change<Result>(
    at path: ArraySlice<String>,
    _ body: (inout JSON) throws(JSONPatchError.Reason) -> Result
  ) throws(JSONPatchError.Reason) -> Result {
    guard let first = path.first else { return try body(&self) }
    switch self {
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      let result = try object.modify(first) { value throws(JSONPatchError.Reason) in
        try value.change(at: path.dropFirst(), body)
      }
      guard let result else { throw .nothingThere }
      return result
    case .array(var elements):
      guard let position = JSONPointer.position(first), position < elements.count else {
        throw .noPosition(first, count: elements.count)
      }
      self = .null
      defer { self = .array(elements) }
      return try elements[position].change(at: path.dropFirst(), body)
    case .null, .bool, .number, .string:
      throw .notAContainer(kind)
    }
  }
}
