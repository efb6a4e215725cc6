extension JSONView {
  /// The first member of any object in this value whose name an earlier member of that object has,
  /// as its JSON Pointer from here; nil if all names are distinct.
  ///
  /// RFC 8259, section 4, lets such texts pass and leaves their meaning open, so that a protocol
  /// has to ask. Names are compared without their escapes: `"a"` and `"\u0061"` are the same.
  package var duplicateKey: String? {
    let end = token.next
    return withText { $0.duplicateKey(from: index, to: end) }
  }
}

extension JSONText {
  fileprivate func duplicateKey(from start: UInt32, to end: UInt32) -> String? {
    var index = start
    while index < end {
      let token = tape.tokens[Int(index)]
      if token.isObject, token.count > 1, let key = duplicate(in: token, at: index) {
        return pointer(to: key, from: start)
      }
      index &+= 1
    }
    return nil
  }

  /// Comparing each with each is quickest for the few members of a request; for many it would cost
  /// their square, which a hostile line could make long, and a set is used.
  private func duplicate(in object: JSONToken, at index: UInt32) -> UInt32? {
    if object.count > 16 { return duplicateBySet(in: object, at: index) }
    guard mayRepeat(object, at: index) else { return nil }
    let tokens = tape.tokens
    var key = tokens[Int(index &+ 2)].next
    while key < object.next {
      var earlier = index &+ 1
      while earlier < key {
        if areEqual(tokens[Int(earlier)], tokens[Int(key)]) { return key }
        earlier = tokens[Int(earlier &+ 1)].next
      }
      key = tokens[Int(key &+ 1)].next
    }
    return nil
  }

  /// Whether two names may be the same: each sets one bit of 64, by its length, first and last byte.
  @inline(__always)
  private func mayRepeat(_ object: JSONToken, at index: UInt32) -> Bool {
    let tokens = tape.tokens
    var seen: UInt64 = 0
    var key = index &+ 1
    while key < object.next {
      let name = tokens[Int(key)]
      let first = UInt32(bytes[Int(name.start &+ 1)])
      let last = UInt32(bytes[Int(name.end &- 2)])
      let bit: UInt64 = 1 << UInt64((name.end &- name.start &+ first &+ last &* 5) & 63)
      if seen & bit != 0 || !name.isPlain { return true }
      seen |= bit
      key = tokens[Int(key &+ 1)].next
    }
    return false
  }

  private func duplicateBySet(in object: JSONToken, at index: UInt32) -> UInt32? {
    var seen = Set<Name>(minimumCapacity: object.count)
    var key = index + 1
    while key < object.next {
      if !seen.insert(Name(text: self, token: tape.tokens[Int(key)])).inserted { return key }
      key = tape.tokens[Int(key + 1)].next
    }
    return nil
  }

  @inline(__always)
  private func areEqual(_ left: JSONToken, _ right: JSONToken) -> Bool {
    if left.isPlain, right.isPlain { return content(of: left).isEqual(to: content(of: right)) }
    return withUnescaped(left) { equals(right, $0) }
  }

  /// A name by its bytes, hashed with the process's random seed, so that none can aim at a bucket.
  private struct Name: Hashable {
    let text: JSONText
    let token: JSONToken

    static func == (left: Name, right: Name) -> Bool {
      left.text.areEqual(left.token, right.token)
    }

    func hash(into hasher: inout Hasher) {
      text.withUnescaped(token) { hasher.combine(bytes: $0) }
    }
  }
}
