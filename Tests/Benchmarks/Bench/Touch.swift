/// Touching one row of 100,000 against one of 100: a change must cost what the change costs.
func measureTouch(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let large = try RowList(workshop, count: 100_000)
    defer { large.app.close() }
    let small = try RowList(workshop, count: 100)
    defer { small.app.close() }

    var series = Series()
    for round in 0..<(workshop.rounds + 1) {
      // A touch makes a title longer. Starting over keeps the titles of the small list, which are
      // touched more often, as short as those of the large one.
      try large.fill()
      try small.fill()
      let one = try large.touch()
      let other = try small.touch()
      if round > 0 { series.add(one, other) }
    }
    report.add(
      "touch", "row of 100,000 / row of 100", series, unit: .microseconds, Target(bound: 1.3))
    report.note(
      "touch", "largest frame, bytes", Double(large.frameBytes), unit: .bytes,
      Target(bound: 300))
  }
}

/// A running `bench-app` with a list of a given length.
private final class RowList {
  let app: Dialogue
  /// The largest frame of a touch so far.
  private(set) var frameBytes = 0
  private let count: Int
  private var random = Random(seed: 1)

  init(_ workshop: Workshop, count: Int) throws {
    self.count = count
    app = try workshop.app(root: "rows")
  }

  func fill() throws {
    _ = try app.exchange(Request.input(2, "fill", .number(count)))
  }

  /// - Returns: The median round trip in nanoseconds.
  func touch() throws -> Double {
    let lines = (0..<2_000).map { _ in
      Request.input(2, "touch", .string("r\(random.next(below: count))"))
    }
    return try medianTrip(lines.count) { trip in
      let reply = try app.exchange(lines[trip])
      guard reply.frames == 1 else { throw BenchError.unexpected("a touch without its frame") }
      frameBytes = max(frameBytes, reply.frameBytes)
    }
  }
}
