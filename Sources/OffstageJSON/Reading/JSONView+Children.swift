extension JSONView {
  /// The value of a member, or nil where there is none or this is no object. Of members with the
  /// same name it is the first one; see `duplicateKey`.
  package subscript(name: String) -> JSONView? {
    name.withBytes { find($0) }
  }

  /// The value of a member, as by the subscript, found without allocating.
  package func member(_ name: StaticString) -> JSONView? {
    find(UnsafeRawBufferPointer(name))
  }

  /// An element of an array, or nil where there is none; the time grows with the position.
  package subscript(position: Int) -> JSONView? {
    guard position >= 0 else { return nil }
    return elements.dropFirst(position).first { _ in true }
  }

  /// The members of an object in document order, and none of any other kind.
  package var members: Members { Members(of: self) }

  /// The elements of an array in document order, and none of any other kind.
  package var elements: Elements { Elements(of: self) }

  private func find(_ name: UnsafeRawBufferPointer) -> JSONView? {
    let token = token
    guard token.isObject else { return nil }
    return withText { text in
      let tokens = text.tape.tokens
      var key = index &+ 1
      while key < token.next {
        if text.equals(tokens[Int(key)], name) { return at(key &+ 1) }
        key = tokens[Int(key &+ 1)].next
      }
      return nil
    }
  }
}

extension JSONView {
  /// The members of an object in document order.
  package struct Members: Sequence, IteratorProtocol {
    private let object: JSONView
    private var key: UInt32
    private let end: UInt32

    fileprivate init(of object: JSONView) {
      self.object = object
      key = object.index &+ 1
      end = object.kind == .object ? object.token.next : 0
    }

    /// The next member; its key is a string.
    package mutating func next() -> (key: JSONView, value: JSONView)? {
      guard key < end else { return nil }
      let (name, value) = (object.at(key), object.at(key &+ 1))
      key = value.token.next
      return (name, value)
    }
  }

  /// The elements of an array in document order.
  package struct Elements: Sequence, IteratorProtocol {
    private let array: JSONView
    private var element: UInt32
    private let end: UInt32

    fileprivate init(of array: JSONView) {
      self.array = array
      element = array.index &+ 1
      end = array.kind == .array ? array.token.next : 0
    }

    /// The next element.
    package mutating func next() -> JSONView? {
      guard element < end else { return nil }
      let view = array.at(element)
      element = view.token.next
      return view
    }
  }
}
