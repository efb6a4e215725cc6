// The operations of a frame's patch (RFC 6902: add, remove, replace, and move; and append), written
// one after another straight into the outgoing line.
//
// A path is a JSON Pointer as the bytes between the quotes of a JSON string.
extension JSONWriter {
  package mutating func replace(at path: [UInt8], _ value: (inout JSONWriter) -> Void) {
    begin("{\"op\":\"replace\",\"path\":\"", path)
    finish(value)
  }

  package mutating func add(at path: [UInt8], _ value: (inout JSONWriter) -> Void) {
    begin("{\"op\":\"add\",\"path\":\"", path)
    finish(value)
  }

  package mutating func remove(at path: [UInt8]) {
    begin("{\"op\":\"remove\",\"path\":\"", path)
    fragment("\"}")
  }

  package mutating func insert(
    in array: [UInt8], at position: Int, _ value: (inout JSONWriter) -> Void
  ) {
    begin("{\"op\":\"add\",\"path\":\"", array, position)
    finish(value)
  }

  package mutating func remove(from array: [UInt8], at position: Int) {
    begin("{\"op\":\"remove\",\"path\":\"", array, position)
    fragment("\"}")
  }

  package mutating func move(in array: [UInt8], from old: Int, to new: Int) {
    begin("{\"op\":\"move\",\"from\":\"", array, old)
    fragment("\",\"path\":\"")
    fragment(array[...])
    fragment("/")
    appendInteger(new)
    fragment("\"}")
  }

  /// Writes how a string has grown.
  /// - Parameter count: The length of the string that the reader has, in UTF-8.
  package mutating func append(at path: [UInt8], _ whole: String, after count: Int) {
    guard appends else { return replace(at: path) { $0.string(whole) } }
    let text = whole.utf8[whole.utf8.index(whole.startIndex, offsetBy: count)...]
    begin("{\"op\":\"append\",\"path\":\"", path)
    finish { $0.string(String(Substring(text))) }
  }

  /// Writes the operations from one value to another. Replaces a scalar, and only the differences
  /// in a structure.
  /// - Parameter port: The source of the value, for the error if it cannot be encoded.
  package mutating func change<Value: Encodable>(
    at path: [UInt8], from old: Value, to new: Value, of port: @autoclosure () -> String
  ) {
    let start = bytes.count
    begin("{\"op\":\"replace\",\"path\":\"", path)
    fragment("\",\"value\":")
    let value = bytes.count
    self.value(new, of: port())
    let first = bytes[value]
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return fragment("}") }
    let tree = JSON(encoded: Array(bytes, from: value))
    bytes.truncate(to: start)
    change(at: path, from: JSON(encoding: old), to: tree)
  }

  /// Writes the operations from one tree to another; none if they are equal.
  ///
  /// Arrays whose elements are all objects with distinct `id`s are compared by id, so that
  /// inserting or moving a row takes one operation. Other arrays are compared element by element
  /// between their common ends. At every level, the whole value is replaced if that is shorter.
  package mutating func change(at path: [UInt8], from old: JSON, to new: JSON) {
    let start = bytes.count
    switch (old, new) {
    case (.object(let old), .object(let new)): changeMembers(at: path, from: old, to: new)
    case (.array(let old), .array(let new)): change(at: path, from: old, to: new)
    default:
      if old != new { replace(at: path) { $0.json(new) } }
      return
    }
    guard bytes.count > start else { return }
    keepShorter(since: start) { $0.replace(at: path) { $0.json(new) } }
  }

  /// Writes the operations that replace the elements of an array from an index on. The elements
  /// before it are neither read nor compared.
  package mutating func changeEnd(
    at path: [UInt8], of elements: inout [JSON], from first: Int, to new: [JSON]
  ) {
    let start = bytes.count
    change(at: path, from: Array(elements[first...]), to: new, offset: first)
    elements.replaceSubrange(first..., with: new)
    guard bytes.count > start else { return }
    let whole = elements
    keepShorter(since: start, count: whole.count) {
      $0.replace(at: path) { $0.json(.array(whole)) }
    }
  }

  /// Writes `alternative` in place of the bytes since `start`, unless it is longer.
  /// - Parameter count: The number of elements in the alternative. With so many that it must be
  ///   longer, it is not written at all.
  package mutating func keepShorter(
    since start: Int, count: Int = 0, _ alternative: (inout JSONWriter) -> Void
  ) {
    // An element takes two bytes at least.
    guard bytes.count - start >= 2 * count else { return }
    let written = Array(bytes, from: start)
    bytes.truncate(to: start)
    alternative(&self)
    guard bytes.count - start > written.count else { return }
    bytes.truncate(to: start)
    fragment(written[...])
  }

  private mutating func begin(_ head: StaticString, _ path: [UInt8]) {
    raw(head)
    fragment(path[...])
  }

  private mutating func begin(_ head: StaticString, _ array: [UInt8], _ position: Int) {
    begin(head, array)
    fragment("/")
    appendInteger(position)
  }

  private mutating func finish(_ value: (inout JSONWriter) -> Void) {
    fragment("\",\"value\":")
    value(&self)
    fragment("}")
  }
}

extension JSONWriter {
  package mutating func changeMembers(
    at path: [UInt8], from old: JSONObject, to new: JSONObject
  ) {
    for (key, _) in old.members where new[key] == nil { remove(at: path.member(key)) }
    for (key, value) in new.members {
      // Most members are equal, and need no path.
      if let previous = old[key] {
        if previous != value { change(at: path.member(key), from: previous, to: value) }
      } else {
        add(at: path.member(key)) { $0.json(value) }
      }
    }
  }

  /// - Parameter offset: The index of the first element in the array at the path.
  private mutating func change(
    at path: [UInt8], from old: [JSON], to new: [JSON], offset: Int = 0
  ) {
    if let oldIDs = Self.ids(of: old), let newIDs = Self.ids(of: new) {
      return changeRows(at: path, from: old, oldIDs, to: new, newIDs, offset: offset)
    }
    let shorter = min(old.count, new.count)
    let (prefix, suffix) = KeyedDiff.equalEnds(old, new)
    for index in prefix..<shorter - suffix where old[index] != new[index] {
      change(at: path.element(offset + index), from: old[index], to: new[index])
    }
    for index in (shorter - suffix..<old.count - suffix).reversed() {
      remove(from: path, at: offset + index)
    }
    for index in shorter - suffix..<new.count - suffix {
      insert(in: path, at: offset + index) { $0.json(new[index]) }
    }
  }

  /// Edits the order by id first, then the contents of the rows.
  private mutating func changeRows(
    at path: [UInt8], from old: [JSON], _ oldIDs: [JSON], to new: [JSON], _ newIDs: [JSON],
    offset: Int
  ) {
    for edit in KeyedDiff.edits(from: oldIDs, to: newIDs) {
      switch edit {
      case .remove(let index): remove(from: path, at: offset + index)
      case .move(let from, let to): move(in: path, from: offset + from, to: offset + to)
      case .insert(let index, let newIndex):
        insert(in: path, at: offset + index) { $0.json(new[newIndex]) }
      }
    }
    let previous = Dictionary(uniqueKeysWithValues: zip(oldIDs, old))
    for (index, id) in newIDs.enumerated() {
      guard let row = previous[id], row != new[index] else { continue }
      change(at: path.element(offset + index), from: row, to: new[index])
    }
  }

  /// Returns the elements' ids, if every element is an object with a distinct id.
  private static func ids(of elements: [JSON]) -> [JSON]? {
    var ids: [JSON] = []
    ids.reserveCapacity(elements.count)
    for element in elements {
      guard let id = element["id"], id.kind == .string || id.kind == .number else { return nil }
      ids.append(id)
    }
    return Set(ids).count == ids.count ? ids : nil
  }
}

extension [UInt8] {
  package func element(_ position: Int) -> [UInt8] {
    self + [UInt8(ascii: "/")] + String(position).utf8
  }

  package func member(_ name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(JSONPointer.escape(name))
    return self + [UInt8(ascii: "/")] + [UInt8](writer.bytes)[1...].dropLast()
  }
}
