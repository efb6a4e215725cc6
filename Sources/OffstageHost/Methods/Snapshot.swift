internal import OffstageJSON

extension Method {
  /// The whole document, for a front end that came late or lost its copy.
  static let snapshot = Method(
    "state/snapshot", "Gives the whole document.",
    result: [
      "type": "object",
      "properties": ["revision": ["type": "integer"], "state": ["type": "object"]],
      "required": ["revision", "state"],
    ]
  ) { _, session in
    // The frame that a slow reader still waits for goes first: it must not follow a state that
    // holds it already.
    session.publish(evenIfBehind: true)
    return .now { session.writeSnapshot(to: &$0) }
  }
}
