/// Measures the start of the reference app as front ends start it, with and without 1,000,000
/// places, and its memory once each tab has appeared.
func measureShowcase(_ workshop: Workshop, _ report: inout Report) throws {
  try workshop.withPlaces(1_000_000) { none, all in
    // The first start creates the database, and keeps the hash of the ports with the state.
    for data in [none, all] { try workshop.showcase(data: data).close() }
    var series = Series()
    var memory: [Double] = []
    for _ in 0..<workshop.rounds {
      series.add(
        try medianStart { try workshop.showcase(data: all) },
        try medianStart { try workshop.showcase(data: none) })
      let app = try workshop.showcase(data: none)
      defer { app.close() }
      for tab in ["map", "explore", "chats", "pokedex", "library", "profile"] {
        _ = try app.exchange(Request.call(2, "navigation/selectTab", "{\"tab\":\"\(tab)\"}"))
        _ = try app.exchange(Request.call(3, "state/settle", "{}"))
      }
      if let bytes = app.memory { memory.append(bytes) }
    }
    report.note(
      "showcase", "until initialize is answered", median(series.theirs), unit: .milliseconds,
      Target(bound: 15e6))
    report.add(
      "showcase", "start with 1,000,000 places / with none", series, unit: .milliseconds,
      Target(bound: 1.5))
    guard !memory.isEmpty else { return }
    report.note(
      "showcase", "memory after six tabs", median(memory), unit: .bytes,
      Target(bound: 25 * 1_048_576))
  }
}
