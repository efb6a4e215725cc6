package import OffstageJSON

/// A generator of the same numbers in every run (Steele, Lea, and Flood 2014).
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// Returns a tree that resembles others from here: few names, few values, rows with ids.
  package mutating func json(depth: Int = 4) -> JSON {
    let names = ["a", "b", "id", "a/b", "~", "", "é", "e\u{301}"]
    let count = Int.random(in: 0...4, using: &self)
    switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &self) {
    case 0: return [.null, true, false].randomElement(using: &self)!
    case 1, 2: return .number(JSONNumber(Int.random(in: -3...3, using: &self)))
    case 3: return .string(names.randomElement(using: &self)!)
    case 4, 5: return .array((0..<count).map { _ in json(depth: depth - 1) })
    case 6:
      let ids = Array(0..<8).shuffled(using: &self).prefix(count * 2)
      return .array(
        ids.map { ["id": .number(JSONNumber($0)), "row": json(depth: depth - 2)] })
    default:
      let keys = names.shuffled(using: &self).prefix(count)
      return .object(JSONObject(keys.map { ($0, json(depth: depth - 1)) }))
    }
  }
}
