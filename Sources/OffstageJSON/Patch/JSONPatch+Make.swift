extension JSONPatch {
  /// The steps from one value to another, of add, remove, replace and move only.
  ///
  /// Arrays of objects that all have an `id` of their own are compared by it, so that a row that was
  /// inserted or moved costs what the row costs; other arrays by what their ends have in common and
  /// then place by place. Where replacing a value as a whole prints smaller, it is replaced.
  /// - Parameter path: where both values are; it comes before all paths.
  package static func make(
    from old: JSON, to new: JSON, at path: JSONPointer = .root
  ) -> [Operation] {
    var difference = Difference()
    difference.compare(old, new, at: path)
    return difference.operations
  }
}

/// Steps, with the number of bytes that they print as.
private struct Difference {
  private(set) var operations: [JSONPatch.Operation] = []
  private var size = 0

  mutating func compare(_ old: JSON, _ new: JSON, at path: JSONPointer) {
    var inside = Difference()
    switch (old, new) {
    case (.object(let old), .object(let new)): inside.compare(old, new, at: path)
    case (.array(let old), .array(let new)): inside.compare(old, new, at: path)
    default: return old == new ? () : add(.replace(path, new))
    }
    if inside.operations.isEmpty { return }
    let whole = JSONPatch.Operation.replace(path, new)
    if whole.size < inside.size {
      add(whole)
    } else {
      operations += inside.operations
      size += inside.size
    }
  }

  private mutating func compare(_ old: JSONObject, _ new: JSONObject, at path: JSONPointer) {
    for (key, _) in old.members where new[key] == nil { add(.remove(path.appending(key))) }
    for (key, value) in new.members {
      if let previous = old[key] {
        compare(previous, value, at: path.appending(key))
      } else {
        add(.add(path.appending(key), value))
      }
    }
  }

  private mutating func compare(_ old: [JSON], _ new: [JSON], at path: JSONPointer) {
    if let oldIDs = Self.ids(of: old), let newIDs = Self.ids(of: new) {
      return compare(old, oldIDs, new, newIDs, at: path)
    }
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    for index in prefix..<shorter - suffix {
      compare(old[index], new[index], at: path.appending(index))
    }
    for index in (shorter - suffix..<old.count - suffix).reversed() {
      add(.remove(path.appending(index)))
    }
    for index in shorter - suffix..<new.count - suffix {
      add(.add(path.appending(index), new[index]))
    }
  }

  /// The arrays' order first, by the ids, and then what has changed within the elements.
  private mutating func compare(
    _ old: [JSON], _ oldIDs: [JSON], _ new: [JSON], _ newIDs: [JSON], at path: JSONPointer
  ) {
    for edit in KeyedDiff.edits(from: oldIDs, to: newIDs) {
      switch edit {
      case .remove(let index): add(.remove(path.appending(index)))
      case .move(let from, let to):
        add(.move(from: path.appending(from), to: path.appending(to)))
      case .insert(let index, let newIndex): add(.add(path.appending(index), new[newIndex]))
      }
    }
    let previous = Dictionary(uniqueKeysWithValues: zip(oldIDs, old))
    for (index, id) in newIDs.enumerated() {
      if let element = previous[id] { compare(element, new[index], at: path.appending(index)) }
    }
  }

  /// The elements' ids, if all are objects that have one and no two are the same.
  private static func ids(of elements: [JSON]) -> [JSON]? {
    var ids: [JSON] = []
    ids.reserveCapacity(elements.count)
    for element in elements {
      guard let id = element["id"], id.kind == .string || id.kind == .number else { return nil }
      ids.append(id)
    }
    return Set(ids).count == ids.count ? ids : nil
  }

  private mutating func add(_ operation: JSONPatch.Operation) {
    operations.append(operation)
    // With the comma that comes before it or the bracket.
    size += operation.size + 1
  }
}

extension JSONPatch.Operation {
  /// In bytes as printed.
  fileprivate var size: Int {
    var writer = JSONWriter()
    writer.json(json)
    return writer.bytes.count
  }
}
