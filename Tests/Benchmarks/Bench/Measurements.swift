/// Measures the round trip of a scalar input on one pinned CPU core, against a C echo of the line,
/// and against a call of Neovim that does next to nothing.
///
/// On one CPU core, nothing runs in parallel, so what the echo does not take is our core's own work:
/// framing, parsing, the view model, the frame, and the response.
func measureScalar(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let app = try workshop.app(root: "form")
    defer { app.close() }
    let echo = try workshop.echo()
    defer { echo?.close() }
    let neovim = try workshop.neovim()
    defer { neovim?.close() }

    // Alternate between two values, so that each input changes `greeting` and causes a frame. An
    // answered id may be reused, so both lines are ready before the clock starts.
    let lines = [
      Request.input(2, "nameText", .string("Kim")), Request.input(3, "nameText", .string("Lee")),
    ]
    let trips = 20_000
    var series = (echo: Series(), neovim: Series())
    var frameBytes = 0
    for round in 0..<(workshop.rounds + 1) {
      let core = try medianTrip(trips) { trip in
        let reply = try app.exchange(lines[trip & 1])
        guard reply.frames == 1 else { throw BenchError.unexpected("an input without its frame") }
        frameBytes = max(frameBytes, reply.frameBytes)
      }
      let floor = try echo.map { echo in
        try medianTrip(trips) { trip in try echo.echo(lines[trip & 1]) }
      }
      let call = try neovim.map { neovim in
        try medianTrip(trips) { _ in try neovim.evaluateLineBreak() }
      }
      // The first round is a warm-up for all.
      if round > 0 {
        series.echo.add(core, floor)
        series.neovim.add(core, call)
      }
    }
    report.add(
      "scalar", "round trip, pinned / C echo", series.echo, unit: .microseconds,
      Target(bound: 1.4))
    report.add(
      "scalar", "round trip, pinned / nvim_eval", series.neovim, unit: .microseconds,
      Target(bound: 1))
    report.note("scalar", "frame, bytes", Double(frameBytes), unit: .bytes)
  }
}

/// Returns the median of `count` trips in nanoseconds. Each trip is timed separately, so that an
/// interruption by the system does not change the result.
func medianTrip(_ count: Int, _ trip: (Int) throws -> Void) rethrows -> Double {
  var times = [Double](repeating: 0, count: count)
  for index in 0..<count {
    let start = now()
    try trip(index)
    times[index] = now() - start
  }
  return median(times)
}

/// Measures half a million piped inputs until the output ends, against a bare Node loop. Both have
/// answered `initialize` before the clock starts, so their start does not count.
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
  report.add(
    "piped", "500,000 inputs / Node, batched writes", batched, unit: .milliseconds,
    Target(bound: 1.0 / 6))
  // If there are fewer frames than inputs, the core took this reader for a slow one and merged
  // frames. The peers print every frame, so the comparison would flatter the core.
  report.note("piped", "frames to 500,000 inputs", Double(frames.min() ?? 0), unit: .count)
}

/// Writes everything while reading the output, and checks that no answer is missing.
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

/// Checks that the core and the peer print the same two lines for an input, so that the comparison
/// is fair. The order of members may differ, so the function compares sorted bytes.
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

/// Compares a push, a step back, and a return over three screens on a stack of 10,000 screens with
/// one of 10. The cost must depend only on the screens that come and go.
func measureStack(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let stacks = try [10_000, 10].map { try PageStack(workshop, depth: $0) }
    defer { for stack in stacks { stack.app.close() } }
    let names = ["push", "back", "popTo over 3"]
    var series = names.map { _ in Series() }
    for round in 0..<(workshop.rounds + 1) {
      let times = try stacks.map { try $0.measure() }
      guard round > 0 else { continue }
      for index in names.indices { series[index].add(times[0][index], times[1][index]) }
    }
    for (name, series) in zip(names, series) {
      report.add(
        "stack", "\(name), 10,000 screens / 10", series, unit: .microseconds, Target(bound: 1.2))
    }
  }
}

/// A running `bench-app` with a stack of a given depth.
private final class PageStack {
  let app: Dialogue
  /// The id of the topmost screen. A number is never used again.
  private var top = 1
  private var last = 1

  init(_ workshop: Workshop, depth: Int) throws {
    app = try workshop.app(root: "page", "--max-screens", "20000")
    for _ in 1..<depth { try push() }
  }

  private func push() throws {
    _ = try app.exchange(Request.input(2, "next", nil, screen: top))
    last += 1
    top = last
  }

  /// - Returns: The medians of a push, a step back, and a return over three screens, in nanoseconds.
  func measure() throws -> [Double] {
    let top = top
    let call = Request.call(2, "navigation/popTo", "{\"screen\":\"\(top)\"}")
    let back = Request.call(2, "navigation/back", "{}")
    var times: [[Double]] = [[], [], []]
    func time(_ index: Int, _ body: () throws -> Void) rethrows {
      let start = now()
      try body()
      times[index].append(now() - start)
    }
    for _ in 0..<500 {
      try time(0) { try push() }
      try time(1) { _ = try app.exchange(back) }
      self.top = top
      for _ in 0..<3 { try push() }
      try time(2) { _ = try app.exchange(call) }
      self.top = top
    }
    return times.map { median($0) }
  }
}

/// Returns the median of ten times from the start of a program to its response to `initialize`, in
/// nanoseconds. Its end does not count.
func medianStart(_ program: () throws -> Dialogue) throws -> Double {
  let times = try (0..<10).map { _ in
    let start = now()
    let dialogue = try program()
    defer { dialogue.close() }
    return now() - start
  }
  return median(times)
}

/// Measures the time from starting the process to the response to `initialize`, against Node's.
func measureStart(_ workshop: Workshop, _ report: inout Report) throws {
  var series = Series()
  for _ in 0..<workshop.rounds {
    let core = try medianStart { try workshop.app(root: "form") }
    series.add(core, workshop.hasNode ? try medianStart { try workshop.node("loop.mjs")! } : nil)
  }
  report.add("start", "until initialize is answered / Node loop", series, unit: .milliseconds, nil)
  report.note(
    "start", "until initialize is answered", median(series.ours), unit: .milliseconds,
    Target(bound: 3e6))
}

/// Measures what it costs to keep the state: round trips, piped inputs, and starts with `--state`,
/// against the same without it.
func measureState(_ workshop: Workshop, _ report: inout Report) throws {
  var series = (scalar: Series(), piped: Series(), start: Series())
  try pinned {
    let lines = [
      Request.input(2, "nameText", .string("Kim")), Request.input(3, "nameText", .string("Lee")),
    ]
    func trip(_ app: Dialogue) throws -> Double {
      try medianTrip(20_000) { trip in _ = try app.exchange(lines[trip & 1]) }
    }
    let keeping = try workshop.keepingApp(root: "draft")
    defer { keeping.close() }
    let plain = try workshop.app(root: "draft")
    defer { plain.close() }
    for round in 0..<(workshop.rounds + 1) {
      let (with, without) = (try trip(keeping), try trip(plain))
      // The first round is a warm-up for both.
      if round > 0 { series.scalar.add(with, without) }
    }
  }
  let count = 500_000
  let input = pipedInputs(count)
  var frames: [Int] = []
  for _ in 0..<workshop.rounds {
    let with = try run(try workshop.keepingApp(root: "draft"), input, count, &frames)
    series.piped.add(with, try run(try workshop.app(root: "draft"), input, count, &frames))
    series.start.add(
      try medianStart { try workshop.keepingApp(root: "draft") },
      try medianStart { try workshop.app(root: "draft") })
  }
  report.add(
    "state", "round trip with --state / without", series.scalar, unit: .microseconds,
    Target(bound: 1.05))
  report.add(
    "state", "500,000 inputs with --state / without", series.piped, unit: .milliseconds, nil)
  report.add(
    "state", "start with --state / without", series.start, unit: .milliseconds,
    Target(bound: 2))
}

/// Compares the memory of a process after 5,000,000 random inputs with that after 1,000,000.
func measureMemory(_ workshop: Workshop, _ report: inout Report) throws {
  let app = try workshop.app(root: "form")
  defer { app.close() }
  var random = Random(seed: 1)
  let batches = (0..<64).map { _ in
    (0..<100).flatMap { index in
      Request.input(
        2 + index, random.next(below: 2) == 0 ? "nameText" : "emailText",
        .string("text \(random.next(below: 1_000))"))
    }
  }
  func send(_ count: Int) throws {
    for _ in 0..<count / 100 {
      try app.exchange(batches[random.next(below: batches.count)], count: 100)
    }
  }
  try send(1_000_000)
  guard let before = app.memory else { return }
  try send(4_000_000)
  guard let after = app.memory else { return }
  var series = Series()
  series.add(after, before)
  report.add(
    "memory", "after 5,000,000 inputs / after 1,000,000", series, unit: .bytes,
    Target(bound: 1.01))
}
