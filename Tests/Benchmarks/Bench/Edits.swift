/// Inserting, moving and removing a row among 100,000 and among 100, for information: the core
/// sends bytes in proportion to the row, but a front end's array still shifts its elements.
func measureEdits(_ workshop: Workshop, _ report: inout Report) throws {
  try pinned {
    let counts = [100_000, 100]
    let apps = try counts.map { count in
      let app = try workshop.app(root: "rows")
      _ = try app.exchange(Request.input(2, "fill", .number(count)))
      return app
    }
    defer { for app in apps { app.close() } }

    // In this order the list comes back to the same rows and the same length.
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
