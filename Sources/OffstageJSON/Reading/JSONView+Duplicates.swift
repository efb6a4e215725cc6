extension JSONView {
  /// The JSON Pointer, from here, to the first member of any object in this value that repeats the
  /// name of an earlier one; nil if all names are distinct.
  ///
  /// RFC 8259, section 4, accepts such texts and leaves their meaning open, so a protocol has to
  /// check. Names are compared without their escapes: `"a"` and `"\u0061"` are the same.
  package var duplicateKey: String? {
    let end = token.next
    return withText { text in
      let tokens = text.tape.start
      var index = index
      while index < end {
        let token = tokens[Int(index)]
        if token.isObject, token.count > 1, text.mayRepeatName(in: token, at: index),
          let name = text.repeatedName(in: token, at: index)
        {
          return text.pointer(to: name, from: self.index)
        }
        index &+= 1
      }
      return nil
    }
  }
}

extension JSONText {
  /// Returns false if the object's names are certainly distinct, as in nearly every request: each
  /// name sets one of 64 bits, chosen by its length, first byte, and last byte.
  @inline(__always)
  fileprivate func mayRepeatName(in object: JSONToken, at index: UInt32) -> Bool {
    guard object.count <= 16 else { return true }
    let tokens = tape.start
    let bytes = bytes
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

  fileprivate func repeatedName(in object: JSONToken, at index: UInt32) -> UInt32? {
    var seen = Set<Name>(minimumCapacity: object.count)
    var key = index + 1
    while key < object.next {
      if !seen.insert(Name(text: self, token: tape.start[Int(key)])).inserted { return key }
      key = tape.start[Int(key + 1)].next
    }
    return nil
  }

  /// A name hashed with the process's random seed, so that a sender cannot force collisions.
  private struct Name: Hashable {
    let text: JSONText
    let token: JSONToken

    static func == (left: Name, right: Name) -> Bool {
      left.text.withUnescaped(left.token) { left.text.equals(right.token, $0) }
    }

    func hash(into hasher: inout Hasher) {
      text.withUnescaped(token) { hasher.combine(bytes: $0) }
    }
  }
}
