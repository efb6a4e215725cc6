/// The derived outputs of a core that are out of date, in the order in which they became so.
@CoreActor
final class StaleDerivations {
  private let causes: Causes
  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) private var stale: [Derivation] = []
  /// The cause of the newest one, if an effect or a timer made it stale.
  private var cause: Cause?
  /// The number of rounds after which outputs that make each other stale count as a cycle.
  private static let mostRounds = 1_000

  nonisolated init(_ causes: Causes) { self.causes = causes }

  var isEmpty: Bool { stale.isEmpty }

  func add(_ derivation: Derivation) {
    // It is still listed if a read has updated it since it last became stale.
    if !derivation.isListed { stale.append(derivation) }
    derivation.isListed = true
    // A request is still the origin when its turn ends. Effects and timers are not.
    if !causes.isRequest, let current = causes.current { cause = current }
  }

  @inline(__always)  // At the end of every turn.
  func update() {
    guard !stale.isEmpty else { return }
    let cause = cause.take()
    if cause != nil || causes.isEffect { causes.during(cause) { updateAll() } } else { updateAll() }
  }

  private func updateAll() {
    var rounds = 0
    while !stale.isEmpty {
      let derivations = stale
      stale = []
      rounds += 1
      require(
        rounds <= Self.mostRounds, "this output depends on itself, and changes again and again",
        file: derivations[0].location.fileID, line: derivations[0].location.line)
      for derivation in derivations { derivation.isListed = false }
      for derivation in derivations { derivation.update() }
    }
  }
}
