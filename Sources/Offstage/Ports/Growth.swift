internal import OffstageJSON

/// What was added to the end of a member of an element since the last frame.
@usableFromInline
struct Growth<Element> {
  let member: PartialKeyPath<Element>
  /// Writes the operations that add it to the element at a path.
  let write: (Element, _ path: [UInt8], inout JSONWriter) -> Void
  /// Takes it off again.
  @usableFromInline let undo: (inout Element) -> Void
}

extension Rows {
  /// Adds an element to the end of an array in a row: the next piece of a text that arrives. Has no
  /// effect if no row has this id.
  ///
  /// It costs what is added, however long the array is, where ``update(_:fileID:line:_:)`` compares
  /// the whole row.
  /// ```swift
  /// output.messages.append(piece, to: \.pieces, of: reply)
  /// ```
  /// - Parameters:
  ///   - element: What is added.
  ///   - member: The array, a stored property of the row.
  ///   - id: The id of the row.
  public func append<Element: Codable & Equatable & Sendable>(
    _ element: Element, to member: WritableKeyPath<Row, [Element]>, of id: Row.ID
  ) {
    guard let node = list.tree.node(of: id) else { return }
    guard let path = path(of: member, in: list.tree[node: node], with: element) else {
      return update(id) { $0[keyPath: member].append(element) }
    }
    list.grow(node, member, by: element) { count in
      Growth(
        member: member,
        write: { [label] row, start, writer in
          let (elements, array) = (row[keyPath: member], start + path)
          for index in count..<elements.count {
            writer.insert(in: array, at: index) {
              $0.value(elements[index], of: "The output \(label)")
            }
          }
        },
        undo: { $0[keyPath: member].removeSubrange(count...) })
    }
    noteContent(of: id)
  }

  /// Returns the JSON Pointer of a member in an encoded row; nil if the row encodes it as something
  /// else than an array, or more than once.
  private func path<Element: Encodable>(
    of member: WritableKeyPath<Row, [Element]>, in row: Row, with element: Element
  ) -> [UInt8]? {
    if let known = memberPaths[member] { return known }
    var (short, long) = (row, row)
    short[keyPath: member] = []
    long[keyPath: member] = [element]
    let path = JSON(encoding: short).pathOfFirstElement(in: JSON(encoding: long))
    memberPaths[member] = .some(path)
    return path
  }
}

extension JSON {
  /// Returns the path of the array that is empty here and has an element in another value; nil if
  /// anything else differs.
  fileprivate func pathOfFirstElement(in other: JSON) -> [UInt8]? {
    switch (self, other) {
    case (.array([]), .array(let elements)) where elements.count == 1: return []
    case (.object(let object), .object(let other)):
      let different = other.members.filter { object[$0.key] != $0.value }
      guard different.count == 1, object.members.count == other.members.count,
        let (key, value) = different.first,
        let rest = object[key]?.pathOfFirstElement(in: value)
      else { return nil }
      return [UInt8]().member(key) + rest
    default: return nil
    }
  }
}
