/// The members of an object: in order, found by name, names compared byte for byte.
///
/// Equality ignores the order, as JSON does. A small object is searched, a large one has an index.
package struct JSONObject: Sendable {
  /// A name and its value.
  package typealias Member = (key: String, value: JSON)

  private var list: [Member] = []
  /// Where each name is, once there are more than `searched` of them.
  private var index: [JSONName: Int] = [:]

  private static let searched = 8

  /// An object without members.
  package init() {}

  /// Takes members in order; of those with the same name the first one stays.
  package init(_ members: some Sequence<Member>) {
    for member in members where position(of: member.key) == nil { append(member) }
  }

  /// The members in order.
  package var members: [Member] { list }

  /// How many members there are.
  package var count: Int { list.count }

  /// Whether there are no members.
  package var isEmpty: Bool { list.isEmpty }

  /// The value of a member. Setting one that is new appends it, setting nil removes it.
  package subscript(key: String) -> JSON? {
    get { position(of: key).map { list[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): list[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Changes a member's value in its place, without a copy of it being made.
  /// - Returns: what `body` returns, or nil where there is no such member.
  package mutating func modify<Result, Failure>(
    _ key: String, _ body: (inout JSON) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let position = position(of: key) else { return nil }
    return try body(&list[position].value)
  }

  private func position(of key: String) -> Int? {
    if list.count > Self.searched { return index[JSONName(key)] }
    return list.firstIndex { $0.key.isIdentical(to: key) }
  }

  private mutating func append(_ member: Member) {
    list.append(member)
    if list.count == Self.searched + 1 {
      for (position, member) in list.enumerated() { index[JSONName(member.key)] = position }
    } else if list.count > Self.searched {
      index[JSONName(member.key)] = list.count - 1
    }
  }

  private mutating func remove(at position: Int) {
    let isIndexed = list.count > Self.searched
    let member = list.remove(at: position)
    guard isIndexed else { return }
    index[JSONName(member.key)] = nil
    if list.count <= Self.searched { index = [:] }
    for later in index.isEmpty ? list.count..<list.count : position..<list.count {
      index[JSONName(list[later].key)] = later
    }
  }
}

extension JSONObject: Hashable {
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.list.allSatisfy { right[$0.key] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in list {
      var member = Hasher()
      member.combine(JSONName(key))
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
