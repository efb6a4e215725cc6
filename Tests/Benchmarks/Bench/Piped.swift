/// Half a million inputs piped in, until the output ends, against a bare Node loop given the same.
/// Both have answered `initialize` before the clock starts, so starting them does not count.
func measurePiped(_ workshop: Workshop, _ report: inout Report) throws {
  let count = 500_000
  let input = pipedInputs(count)
  try compareSample(workshop)

  var bare = Series()
  var batched = Series()
  var frames: [Int] = []
  for _ in 0..<workshop.rounds {
    let core = try run(try workshop.app(root: "form"), input, count, &frames)
    var ignored: [Int] = []
    let loop = try workshop.node("loop.mjs").map { try run($0, input, count, &ignored) }
    let tuned = try workshop.node("loop-batched.mjs").map { try run($0, input, count, &ignored) }
    bare.add(core, loop)
    batched.add(core, tuned)
  }
  report.add(
    "piped", "500,000 inputs / bare Node loop", bare, unit: .milliseconds, Target(bound: 0.25))
  report.add("piped", "the same / Node, batched writes", batched, unit: .milliseconds, nil)
  // Fewer frames than inputs would mean that the core took this reader for a slow one and joined
  // frames; the peers print every one, so the comparison would flatter the core.
  report.note("piped", "frames to 500,000 inputs", Double(frames.min() ?? 0), unit: .count)
}

/// Pours everything in while draining the output, and checks that no answer is missing.
/// - Returns: The nanoseconds from the first byte in to the end of the output.
private func run(
  _ program: Dialogue, _ input: [UInt8], _ count: Int, _ frames: inout [Int]
) throws -> Double {
  let start = now()
  let tally = try program.pour(input)
  let end = now()
  guard tally.responses == count else {
    throw BenchError.unexpected("\(tally.responses) responses to \(count) inputs")
  }
  frames.append(tally.frames)
  return end - start
}

private func pipedInputs(_ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count * 110)
  for index in 0..<count {
    bytes += Request.input(index + 2, "nameText", .string(index & 1 == 0 ? "Kim" : "Lee"))
  }
  return bytes
}

/// Makes sure that the core and the peer print the same two lines for an input, so that the race
/// is over the same distance. Members may come in another order, so the bytes are compared sorted:
/// without blanks between them, the same members give the same bytes.
private func compareSample(_ workshop: Workshop) throws {
  guard let peer = try workshop.node("loop.mjs") else { return }
  defer { peer.close() }
  let app = try workshop.app(root: "form")
  defer { app.close() }
  for (id, name) in [(2, "Kim"), (3, "Lee")] {
    let line = Request.input(id, "nameText", .string(name))
    let ours = try app.lines(for: line)
    let theirs = try peer.lines(for: line)
    guard ours.count == 2, ours.map({ $0.sorted() }) == theirs.map({ $0.sorted() }) else {
      let printed = [ours, theirs].map { lines in
        lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
      }
      throw BenchError.unexpected(
        "the core and the Node loop differ:\n\(printed[0])\n\(printed[1])")
    }
  }
}
