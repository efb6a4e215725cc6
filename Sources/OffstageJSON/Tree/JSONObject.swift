/// The members of an object, in order and by name. Names are compared byte for byte.
///
/// Equality ignores the order, as JSON does. Small objects are searched; large ones have an index.
package struct JSONObject: Sendable {
  package typealias Member = (key: String, value: JSON)

  package private(set) var members: [Member] = []
  /// The position of each name, once there are more than `searched` of them.
  private var index: [ByteString: Int] = [:]

  private static let searched = 8

  package init() {}

  /// Creates an object from members in order. If a name repeats, the first member wins.
  package init(_ members: some Sequence<Member>) {
    for member in members where position(of: member.key) == nil { append(member) }
  }

  package var count: Int { members.count }

  package var isEmpty: Bool { members.isEmpty }

  /// The value of a member. Setting a new one appends it; setting nil removes it.
  package subscript(key: String) -> JSON? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append((key, value))
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if members.count > Self.searched { return index[ByteString(key)] }
    return members.firstIndex { $0.key.isIdentical(to: key) }
  }

  private mutating func append(_ member: Member) {
    members.append(member)
    updateIndex(from: members.count - 1)
  }

  private mutating func remove(at position: Int) {
    index[ByteString(members.remove(at: position).key)] = nil
    updateIndex(from: position)
  }

  private mutating func updateIndex(from start: Int) {
    guard members.count > Self.searched else {
      index = [:]
      return
    }
    for position in (index.isEmpty ? 0 : start)..<members.count {
      index[ByteString(members[position].key)] = position
    }
  }
}

extension JSONObject: Hashable {
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in members {
      var member = Hasher()
      member.combine(ByteString(key))
      member.combine(value)
      sum ^= member.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
