/// From starting the process to the response to `initialize`, against the same of Node.
func measureStart(_ workshop: Workshop, _ report: inout Report) throws {
  var series = Series()
  for _ in 0..<workshop.rounds {
    let core = try medianTrip(10) { _ in try workshop.app(root: "form").close() }
    var node: Double?
    if workshop.hasNode {
      node = try medianTrip(10) { _ in try workshop.node("loop.mjs")?.close() }
    }
    series.add(core, node)
  }
  report.add("start", "start, initialize, end / Node loop", series, unit: .milliseconds, nil)
}
