// Nothing keeps track of where it is while a text is read or decoded: the way to a token is found
// again from the tape, in the rare case that an error has to name it.
extension JSONText {
  /// The keys from one value down to another one within it, or to the name of a member within it.
  func path(to target: UInt32, from root: UInt32 = 0) -> [JSONKey] {
    var path: [JSONKey] = []
    var container = root
    while container < target {
      let isObject = tape.tokens[Int(container)].isObject
      var position = 0
      var value = container + (isObject ? 2 : 1)
      while tape.tokens[Int(value)].next <= target {
        value = tape.tokens[Int(value)].next + (isObject ? 1 : 0)
        position += 1
      }
      path.append(isObject ? .name(string(tape.tokens[Int(value - 1)])) : .position(position))
      container = value
    }
    return path
  }

  /// The JSON Pointer from one value to another one within it.
  func pointer(to target: UInt32, from root: UInt32 = 0) -> String {
    JSONPointer(path(to: target, from: root).map(\.stringValue)).description
  }
}
