import OffstageJSON
import TestSupport
import Testing

@testable import OffstageTranscripts

/// Properties of every transcript, tried on random ones.
@Suite struct RandomTranscriptTests {
  @Test func anUpdatedTranscriptPasses() throws {
    for seed in 0..<1_500 {
      var dice = SplitMix64(seed: UInt64(seed))
      let transcript = try Transcript(text(&dice), file: "x")
      let output = [output(for: transcript, &dice)]
      let differences = transcript.differences(from: output)
      let updated = transcript.updated(with: output)
      try #require(updated.differences(from: output).isEmpty, "seed \(seed): \(updated.text)")
      try #require(differences.isEmpty == (updated == transcript), "seed \(seed)")
      try #require(try Transcript(updated.text, file: "x") == updated, "seed \(seed)")
      try #require(comments(of: updated) == comments(of: transcript), "seed \(seed)")
    }
  }

  @Test func anyBytesParseToTheSameTextOrAnError() {
    let pieces = [
      "$ c", "\n", "\n", "\r", "  ", "> ", ">! ", "< ", "= ", "# ", "@ GET /x -> 200 ", "exit 0",
      "1",
      "[", "]", "\"", "$a", "\\", "\\c", "x41", "'", "é", ",",
    ].map { Array($0.utf8) }
    for seed in 0..<20_000 {
      var dice = SplitMix64(seed: UInt64(seed))
      var bytes = Array("$ core\n".utf8)
      for _ in 0..<Int.random(in: 0...12, using: &dice) {
        bytes += pieces.randomElement(using: &dice) ?? []
      }
      if seed.isMultiple(of: 50) { bytes.append(0xFF) }
      guard let transcript = try? Transcript(bytes, file: "x") else { continue }
      #expect(Array(transcript.text.utf8) == bytes)
    }
  }

  private func text(_ dice: inout SplitMix64) -> String {
    var text = "$ core\n\n> 0\n"
    for _ in 0..<Int.random(in: 0...7, using: &dice) {
      switch Int.random(in: 0...9, using: &dice) {
      case 0: text += "\n> 1\n"
      case 1: text += "> 2\n"
      case 2: text += "# comment \(dice.next())\n"
      default: text += "< \(value(&dice, ["$_", "$a", "$b"]))\n"
      }
    }
    return text + ["", "= exit 0\n", "\n= exit 0\n", "\n"].randomElement(using: &dice)!
  }

  /// Mostly lines much like the expected ones, some left out, added or swapped.
  private func output(
    for transcript: Transcript, _ dice: inout SplitMix64
  ) -> TranscriptOutput {
    var blocks: [[String]] = [[]]
    var isEmpty = true
    for entry in transcript.entries {
      switch entry.kind {
      case .barrier:
        if !isEmpty { blocks.append([]) }
        isEmpty = true
      case .sent:
        isEmpty = false
      case .expected(let pattern):
        isEmpty = false
        if Int.random(in: 0...9, using: &dice) == 0 { continue }
        if Int.random(in: 0...9, using: &dice) == 0 {
          blocks[blocks.count - 1].append("\(value(&dice, ["$x", "y"]))")
        }
        blocks[blocks.count - 1].append("\(answer(pattern, &dice))")
      case .comment, .command, .response, .exit:
        continue
      }
    }
    if Int.random(in: 0...3, using: &dice) == 0 { blocks[0].shuffle(using: &dice) }
    return TranscriptOutput(blocks: blocks, exit: 0)
  }

  private func value(_ dice: inout SplitMix64, _ strings: [String]) -> JSON {
    let leaf = { (dice: inout SplitMix64) -> JSON in
      switch Int.random(in: 0...3, using: &dice) {
      case 0: .null
      case 1: .string(strings.randomElement(using: &dice)!)
      default: .number(JSONNumber(Int.random(in: 0...3, using: &dice)))
      }
    }
    return ["id": leaf(&dice), "list": [leaf(&dice), leaf(&dice)], "text": leaf(&dice)]
  }

  /// A value that the pattern may match.
  private func answer(_ pattern: JSON, _ dice: inout SplitMix64) -> JSON {
    switch pattern {
    case .string:
      return Int.random(in: 0...5, using: &dice) == 0 ? "$q" : 1
    case .null, .bool, .number:
      return Int.random(in: 0...19, using: &dice) == 0 ? 9 : pattern
    case .array(let elements):
      let answers = elements.map { answer($0, &dice) }
      return .array(Int.random(in: 0...9, using: &dice) == 0 ? [5] + answers : answers)
    case .object(let object):
      let members = object.members.map { (key: $0.key, value: answer($0.value, &dice)) }
      return .object(JSONObject(members.shuffled(using: &dice)))
    }
  }

  private func comments(of transcript: Transcript) -> [[String]] {
    transcript.entries.filter { $0.kind == .comment }.map(\.source)
  }
}
