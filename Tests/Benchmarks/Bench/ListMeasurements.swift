/// Compares touching one row of 100,000 with one of 100. The cost must depend only on the change.
func measureTouch(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let large = try RowList(workshop, count: 100_000)
    defer { large.app.close() }
    let small = try RowList(workshop, count: 100)
    defer { small.app.close() }

    var series = Series()
    for round in 0..<(workshop.rounds + 1) {
      // A touch makes a title longer. Refilling keeps the titles of the small list, which are
      // touched more often, as short as those of the large list.
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

/// Measures inserting, moving, and removing a row among 100,000 and among 100, for information
/// only: the bytes sent depend only on the row, but a front end's array still shifts its elements.
func measureEdits(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let counts = [100_000, 100]
    let apps = try counts.map { count in
      let app = try workshop.app(root: "rows")
      _ = try app.exchange(Request.input(2, "fill", .number(count)))
      return app
    }
    defer { for app in apps { app.close() } }

    // In this order, the list ends up with the same rows.
    let names = ["insertFront", "moveLastToFront", "removeFirst"]
    var series = names.map { _ in Series() }
    var bytes = names.map { _ in 0 }
    for _ in 0..<workshop.rounds {
      var times = apps.map { _ in names.map { _ in [Double]() } }
      for _ in 0..<300 {
        for (a, app) in apps.enumerated() {
          for (n, name) in names.enumerated() {
            let line = Request.input(2, name, nil)
            let start = now()
            let reply = try app.exchange(line)
            times[a][n].append(now() - start)
            bytes[n] = max(bytes[n], reply.frameBytes)
          }
        }
      }
      for n in names.indices { series[n].add(median(times[0][n]), median(times[1][n])) }
    }
    for (n, name) in names.enumerated() {
      report.add("edits", "\(name), 100,000 / 100", series[n], unit: .microseconds, nil)
      report.note("edits", "\(name), frame, bytes", Double(bytes[n]), unit: .bytes)
    }
  }
}

/// Measures filling, extending, and emptying a list of 100,000 rows, against printing as many rows, and
/// shuffling 10,000, against the diff of nlohmann's JSON library.
func measureBulk(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let names = ["reset to 100,000 rows", "append 100,000 to 100,000", "removeAll of 200,000"]
    var series = names.map { _ in Series() }
    for _ in 0..<workshop.rounds {
      let app = try workshop.app(root: "rows")
      defer { app.close() }
      func time(_ line: [UInt8]) throws -> Double {
        let start = now()
        _ = try app.exchange(line)
        return now() - start
      }
      func prepare() throws { _ = try app.exchange(Request.input(2, "prepare", .number(100_000))) }
      try prepare()
      let filling = try time(Request.input(2, "resetToPrepared", nil))
      let printing = try time(Request.call(2, "state/snapshot", "{}"))
      try prepare()
      let appending = try time(Request.input(2, "appendPrepared", nil))
      let removing = try time(Request.input(2, "removeAll", nil))
      for (index, time) in [filling, appending, removing].enumerated() {
        series[index].add(time, printing)
      }
    }
    for (name, series) in zip(names, series) {
      report.add(
        "bulk", "\(name) / printing 100,000", series, unit: .milliseconds, Target(bound: 2))
    }
    try measureShuffle(workshop, &report)
  }
}

private func measureShuffle(_ workshop: Workshop, _ report: inout Report) throws {
  let app = try workshop.app(root: "rows")
  defer { app.close() }
  let peer = try workshop.diff()
  defer { peer?.close() }
  _ = try app.exchange(Request.input(2, "fill", .number(10_000)))
  var (times, sizes) = (Series(), Series())
  func document() throws -> [UInt8] {
    try app.lines(for: Request.call(2, "state/snapshot", "{}")).last! + [newline]
  }
  var before = try document()
  for seed in 0..<workshop.rounds {
    let start = now()
    let reply = try app.exchange(Request.input(2, "shuffle", .number(seed)))
    let time = now() - start
    let after = try document()
    // The peer prints the nanoseconds that its diff took, without parsing, and the bytes of its patch.
    let answer = try peer?.lines(before + after, count: 1).first.map {
      String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { Double($0) }
    }
    times.add(time, answer?.first)
    sizes.add(Double(reply.frameBytes), answer?.last)
    before = after
  }
  report.add(
    "bulk", "shuffle of 10,000 / json::diff", times, unit: .milliseconds, Target(bound: 0.2))
  report.add(
    "bulk", "shuffle, frame / patch of json::diff", sizes, unit: .bytes, Target(bound: 1))
}

/// Compares the last of 20,000 pieces that a list, and a text, grow by with the first ones.
func measureGrowth(_ workshop: Workshop, _ report: inout Report) throws {
  for input in ["piece", "words"] { try measureGrowth(by: input, workshop, &report) }
}

private func measureGrowth(
  by input: String, _ workshop: Workshop, _ report: inout Report
) throws {
  try pinned {
    let line = Request.input(2, input, .string("lorem ipsum "))
    var series = Series()
    var bytes = 0
    for _ in 0..<workshop.rounds {
      let app = try workshop.app(root: "growing")
      defer { app.close() }
      func time(_ count: Int) throws -> Double {
        try medianTrip(count) { _ in bytes = max(bytes, try app.exchange(line).frameBytes) }
      }
      let first = try time(2_000)
      _ = try time(16_000)
      series.add(try time(2_000), first)
    }
    report.add(
      "growth", "\(input) 20,000 / \(input) 1", series, unit: .microseconds, Target(bound: 1.2))
    report.note(
      "growth", "\(input), largest frame, bytes", Double(bytes), unit: .bytes, Target(bound: 300))
  }
}

/// Compares scrolling by a row and jumping in a window of 1,000,000 rows with the same in one of 1,000.
func measureWindow(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let counts = [1_000_000, 1_000]
    let apps = try counts.map { try workshop.app(root: "window {\"total\":\($0)}") }
    defer { for app in apps { app.close() } }
    var (scrolls, jumps) = (Series(), Series())
    var (scrollBytes, jumpBytes) = (0, 0)
    func show(_ first: Int) -> [UInt8] {
      Request.call(
        2, "list/window", "{\"screen\":\"1\",\"name\":\"rows\",\"first\":\(first),\"count\":50}")
    }
    for round in 0..<(workshop.rounds + 1) {
      var times: [[Double]] = []
      for (app, count) in zip(apps, counts) {
        // The first answer may come with the rows that were there before.
        for first in [0, count / 3, count / 2] { _ = try app.exchangeWithFrame(show(first)) }
        let scroll = try medianTrip(400) { trip in
          let reply = try app.exchangeWithFrame(show(count / 2 + 1 + trip))
          scrollBytes = max(scrollBytes, reply.frameBytes)
        }
        let jump = try medianTrip(400) { trip in
          let reply = try app.exchangeWithFrame(show(trip.isMultiple(of: 2) ? 0 : count * 9 / 10))
          jumpBytes = max(jumpBytes, reply.frameBytes)
        }
        times.append([scroll, jump])
      }
      guard round > 0 else { continue }
      scrolls.add(times[0][0], times[1][0])
      jumps.add(times[0][1], times[1][1])
    }
    for (name, series, bytes) in [("a row", scrolls, scrollBytes), ("a jump", jumps, jumpBytes)] {
      report.add(
        "window", "\(name) in 1,000,000 / in 1,000", series, unit: .microseconds, Target(bound: 1.2)
      )
      report.note("window", "\(name), frame, bytes", Double(bytes), unit: .bytes)
    }
  }
}
