/// One scalar input's way there and back on one pinned core, against a C echo of the same line.
///
/// On one core nothing runs at the same time, so the difference is the core's own work: framing,
/// parsing, the view model, the frame and the response.
func measureScalar(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let app = try workshop.app(root: "form")
    defer { app.close() }
    let echo = try workshop.echo()
    defer { echo?.close() }

    // Two values in turn, so that each input changes `greeting` and makes a frame. An id may come
    // again once it was answered, so nothing has to be printed while the clock runs.
    let lines = [
      Request.input(2, "nameText", .string("Kim")), Request.input(3, "nameText", .string("Lee")),
    ]
    let trips = 20_000
    var series = Series()
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
      // The first round warms both up.
      if round > 0 { series.add(core, floor) }
    }
    report.add(
      "scalar", "round trip, pinned / C echo", series, unit: .microseconds,
      Target(bound: 2.0))
    report.note("scalar", "frame, bytes", Double(frameBytes), unit: .bytes)
  }
}

/// The median of `count` trips in nanoseconds. Each trip is timed alone, so that one interrupted by
/// the system cannot move the result.
func medianTrip(_ count: Int, _ trip: (Int) throws -> Void) rethrows -> Double {
  var times = [Double](repeating: 0, count: count)
  for index in 0..<count {
    let start = now()
    try trip(index)
    times[index] = now() - start
  }
  return median(times)
}
