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
    let (empty, full) = (JSON(encoding: short).object ?? [:], JSON(encoding: long).object ?? [:])
    let changed = full.members.filter { empty[$0.key] != $0.value }.map(\.key)
    let isArray =
      changed.count == 1 && empty[changed[0]] == [] && full[changed[0]]?.array?.count == 1
    let path = isArray ? [UInt8]().member(changed[0]) : nil
    memberPaths[member] = .some(path)
    return path
  }
}
