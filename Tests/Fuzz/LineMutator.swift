import OffstageJSON
import TestSupport

/// Creates sessions from those of the corpus. The same seed creates the same session.
struct LineMutator {
  private var random: SplitMix64
  private let corpus: [LineFuzzer.Script]
  private var snapshots = 0

  init(seed: UInt64, corpus: [LineFuzzer.Script]) {
    random = SplitMix64(seed: seed)
    self.corpus = corpus
  }

  /// Returns lines that end in a snapshot.
  /// - Parameters:
  ///   - count: about how many lines; by default, a few dozen.
  ///   - root: the screen of the scripts to start from; by default, any.
  mutating func script(count: Int? = nil, root: String? = nil) -> LineFuzzer.Script {
    let starts = corpus.filter { root == nil || $0.arguments.contains(root!) }
    var script = pick(starts.isEmpty ? corpus : starts)
    let count = count ?? Int.random(in: 2...60, using: &random)
    while script.lines.count < count {
      let more = chance(3) ? pick(corpus) : pick(starts)
      script.lines.append(contentsOf: more.lines.shuffledSlightly(&random))
    }
    for _ in 0..<Int.random(in: 0...max(1, script.lines.count / 2), using: &random) {
      mutate(&script.lines)
    }
    let text = script.lines.map { String(decoding: $0, as: UTF8.self) }
    let playsFilm = text.contains { $0.contains("playTapped") }
    script.lines = zip(script.lines, text).filter { _, text in
      // Nothing after a shutdown is answered. A film that plays fires a timer once a second: a long
      // advance ends with the time of `--drain`, after more timers on a faster machine.
      !text.contains("shutdown") && !(playsFilm && text.contains(/clock\/advance.*\d{7}/))
    }.map(\.0)
    script.lines.append(snapshot())
    return script
  }

  private mutating func mutate(_ lines: inout [[UInt8]]) {
    guard !lines.isEmpty else { return lines.append(snapshot()) }
    let index = Int.random(in: lines.indices, using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0: lines.remove(at: index)
    case 1: lines.insert(lines[index], at: Int.random(in: 0...lines.count, using: &random))
    case 2: lines.swapAt(index, Int.random(in: lines.indices, using: &random))
    case 3: lines.insert(snapshot(), at: index)
    case 4: lines.insert(Array(Self.settle.utf8), at: index)
    case 5:
      let end = min(lines.count, index + Int.random(in: 1...6, using: &random))
      let batch = lines[index..<end].joined(separator: Array(",".utf8))
      lines.replaceSubrange(index..<end, with: [Array("[".utf8) + batch + Array("]".utf8)])
    case 6, 7: mutateBytes(&lines[index])
    default:
      guard let tree = try? JSON(parsing: String(decoding: lines[index], as: UTF8.self)) else {
        return mutateBytes(&lines[index])
      }
      lines[index] = Array(mutated(tree, depth: 0).description.utf8)
    }
  }

  private mutating func mutateBytes(_ line: inout [UInt8]) {
    guard !line.isEmpty else { return line.append(0x7B) }
    let index = Int.random(in: line.indices, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: line.remove(at: index)
    case 1: line[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: line.insert(UInt8.random(in: 0...255, using: &random), at: index)
    case 3: line.removeSubrange(index...)
    default: line.insert(contentsOf: line[index...].prefix(40), at: index)
    }
    // Keep it a single line.
    line.removeAll { $0 == 0x0A }
  }

  /// Changes one place in a tree, more often deep inside than at the top.
  private mutating func mutated(_ value: JSON, depth: Int) -> JSON {
    switch value {
    case .object(var object) where !object.isEmpty && !chance(8):
      let member = pick(object.members)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: object[member.key] = nil
      case 1: object[pick(Self.names)] = chance(2) ? member.value : other()
      default: object[member.key] = mutated(member.key, member.value, depth)
      }
      return .object(object)
    case .array(var elements) where !elements.isEmpty && !chance(8):
      let index = Int.random(in: elements.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      default: elements[index] = mutated(elements[index], depth: depth + 1)
      }
      return .array(elements)
    default: return other()
    }
  }

  /// Replaces screens and prompts with others that may exist, and names with other names.
  private mutating func mutated(_ key: String, _ value: JSON, _ depth: Int) -> JSON {
    if chance(4) { return mutated(value, depth: depth + 1) }
    switch key {
    case "screen": return .string("\(Int.random(in: 0...12, using: &random))")
    case "prompt": return .string("q\(Int.random(in: 0...6, using: &random))")
    case "name", "method", "tab", "value":
      let lines = pick(corpus).lines
      let line = try? JSON(parsing: String(decoding: pick(lines), as: UTF8.self))
      return line?[key] ?? line?["params"]?[key] ?? mutated(value, depth: depth + 1)
    case "jsonrpc": return chance(10) ? other() : value
    default: return mutated(value, depth: depth + 1)
    }
  }

  private mutating func other() -> JSON {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1: pick([true, false])
    case 2, 3: pick(Self.numbers)
    case 4, 5: pick(Self.strings)
    default: random.json()
    }
  }

  private mutating func snapshot() -> [UInt8] {
    snapshots += 1
    return Array(
      #"{"jsonrpc":"2.0","id":"snapshot-\#(snapshots)","method":"state/snapshot"}"#.utf8)
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &random)!
  }

  private static let settle = #"{"jsonrpc":"2.0","id":"settle","method":"state/settle"}"#

  private static let names = [
    "id", "method", "params", "screen", "name", "value", "settle", "prompt", "error", "dismissed",
    "tab", "url", "milliseconds", "capabilities", "locale", "timeZone", "extra", "",
  ]

  private static let numbers: [JSON] =
    [0, -1, 1, 2, 25, 1000, 4_294_967_296, 9_007_199_254_740_991, -9_007_199_254_740_992]
    + [0.5, -0.0, 1e16, 1e-300, 1.7976931348623157e308].map { .number(JSONNumber($0)) }

  private static let strings: [JSON] = [
    "", "a", "é", "e\u{301}", "\u{0}", "\n", "\u{2028}", "\u{1F600}", "\u{202E}", "%_", "'; --",
    "/", "~1", "map", "1", "q1", "$x", "kim@example.com",
    .string(String(repeating: "x", count: 70_000)), .string(String(repeating: "\u{1}", count: 300)),
  ]
}

extension [[UInt8]] {
  /// Returns the lines with a few of them left out or swapped.
  fileprivate func shuffledSlightly(_ random: inout SplitMix64) -> Self {
    var lines = filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
    if lines.count > 1, Bool.random(using: &random) {
      lines.swapAt(0, Int.random(in: lines.indices, using: &random))
    }
    return lines
  }
}
