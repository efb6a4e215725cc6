internal import Offstage
internal import OffstageRPC

extension Method {
  /// One step back.
  static let back = Method(
    "navigation/back", "Pops or dismisses what is on top.", errors: [.refused]
  ) { _, session throws(RPCError) in
    guard session.core.back() else {
      throw RPCError(.refused, "There is nothing to go back to: this is the root.")
    }
    return .revision
  }
}
