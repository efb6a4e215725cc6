// Nothing keeps track of where it is while a text is read or decoded: the way to a token is found
// again from the tape, in the rare case that an error has to name it.
extension JSONText {
  /// The keys from one value down to another one within it, or to the name of a member within it.
  func path(to target: UInt32, from root: UInt32 = 0) -> [JSONKey] {
    var path: [JSONKey] = []
    var container = root
    while container < target {
      let isObject = tape.tokens[Int(container)].isObject
      var place = Place(value: container + (isObject ? 2 : 1), position: 0)
      if let latest = places[container], latest.value <= target { place = latest }
      while tape.tokens[Int(place.value)].next <= target {
        place.value = tape.tokens[Int(place.value)].next + (isObject ? 1 : 0)
        place.position += 1
      }
      if place.position > 64 { places[container] = place }
      path.append(
        isObject
          ? .name(string(tape.tokens[Int(place.value - 1)])) : .position(place.position))
      container = place.value
    }
    return path
  }

  /// The JSON Pointer from one value to another one within it.
  func pointer(to target: UInt32, from root: UInt32 = 0) -> String {
    JSONPointer(path(to: target, from: root).map(\.stringValue)).description
  }

  /// How far the search through a large container had come, for the next one to go on from there. A
  /// type that tries one reading after the other makes an error of every element, and beginning
  /// anew for each would take the square of their number.
  struct Place {
    var value: UInt32
    var position: Int
  }
}
