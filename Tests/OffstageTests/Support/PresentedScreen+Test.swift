@testable import Offstage

extension PresentedScreen {
  /// Calls `action` with the result of the screen.
  func onEnd(_ action: @escaping (Result?) -> Void) {
    let ended = In<Result?>()
    ended.observe { action($0) }
    deliver(to: ended)
  }
}
