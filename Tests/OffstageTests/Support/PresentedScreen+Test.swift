@testable import Offstage

extension PresentedScreen {
  /// Calls `action` with the outcome of the screen.
  func onEnd(_ action: @escaping (Outcome<Result>) -> Void) {
    let ended = In<Outcome<Result>>()
    ended.observe { action($0) }
    deliver(to: ended)
  }
}
