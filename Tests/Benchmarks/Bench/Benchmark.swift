/// Everything that can be measured, in the order in which it is.
enum Benchmark: String, CaseIterable {
  case scalar
  case piped
  case touch
  case edits
  case start

  func run(_ workshop: Workshop, _ report: inout Report) throws {
    switch self {
    case .scalar: try measureScalar(workshop, &report)
    case .piped: try measurePiped(workshop, &report)
    case .touch: try measureTouch(workshop, &report)
    case .edits: try measureEdits(workshop, &report)
    case .start: try measureStart(workshop, &report)
    }
  }
}
