/// A screen that was just shown: how it ends can be waited for, or delivered into an input.
@CoreActor
public struct PresentedScreen<Result: Codable & Sendable> {
  private let node: ScreenNode?

  /// - Parameter node: nil for a screen that could not be shown, which counts as dismissed.
  init(_ node: ScreenNode?) { self.node = node }

  /// Waits for the end of the screen, however it comes.
  /// - Throws: `CancellationError` once the work that waits is cancelled. The screen then stays.
  public func outcome() async throws -> Outcome<Result> {
    guard let node else { return .dismissed }
    return try await Parking<Outcome<Result>>.wait { parking in
      node.onEnd { parking.end(with: .success(Self.outcome($0))) }
      return {}
    }
  }

  /// Sends how the screen ended into an input, exactly once: also where a unique screen was shown
  /// again meanwhile, and its end was to be delivered there each time.
  public func deliver(to input: In<Outcome<Result>>) {
    guard let node else { return input.send(.dismissed) }
    node.onEnd(for: input) { input.send(Self.outcome($0)) }
  }

  /// Calls back exactly once when the screen has ended, however it did. Of several screens that end
  /// together, the one on top tells first.
  public func onEnd(_ action: @escaping (Outcome<Result>) -> Void) {
    guard let node else { return action(.dismissed) }
    node.onEnd { action(Self.outcome($0)) }
  }

  /// Closes the screen, if it is still there and no root.
  public func close() {
    if let node, node.isOpen { node.core.close(node.id) }
  }

  private static func outcome(_ value: (any Sendable)?) -> Outcome<Result> {
    // In two steps: nil would pass for a result that is optional.
    guard let value, let value = value as? Result else { return .dismissed }
    return .finished(value)
  }
}
