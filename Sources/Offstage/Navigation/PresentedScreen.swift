/// A screen that a router has shown. Deliver its outcome to an input, or act on it.
/// ```swift
/// router.push(BookDetail.self, book).deliver(to: input.lent)
/// router.push(Editor.self, draft).onFinish { save($0) }
/// ```
@CoreActor
public struct PresentedScreen<Result: Codable & Sendable> {
  private let node: ScreenNode?

  /// - Parameter node: nil if the screen could not be shown, which counts as dismissed.
  init(_ node: ScreenNode?) { self.node = node }

  /// Sends the outcome of the screen to an input exactly once, even if
  /// this is called each time that ``Router/pushUnique(_:transition:)`` returns the same screen.
  public func deliver(to input: In<Outcome<Result>>) {
    guard let node else { return input.send(.dismissed) }
    node.onEnd(for: input) { input.send(Self.outcome($0)) }
  }

  /// Calls `action` exactly once, when the screen has ended, however it ends. If several screens
  /// end together, the topmost one comes first.
  public func onEnd(_ action: @escaping (Outcome<Result>) -> Void) {
    guard let node else { return action(.dismissed) }
    _ = node.onEnd { action(Self.outcome($0)) }
  }

  /// Calls `action` with the result of the screen; not if it ends without one.
  public func onFinish(_ action: @escaping (Result) -> Void) {
    onEnd { if case .finished(let result) = $0 { action(result) } }
  }

  /// Closes the screen as the user does, if it is open and not the root of a stack: it stays if its
  /// ``Screen/mayLeave()`` returns false.
  public func close() {
    if let node, node.isOpen { _ = node.core.request { $0.close(node.id) } }
  }

  private static func outcome(_ value: (any Sendable)?) -> Outcome<Result> {
    // Unwrap in two steps, or nil would count as a result of optional type.
    guard let value, let value = value as? Result else { return .dismissed }
    return .finished(value)
  }
}

/// The end of a screen: with a result, or without one.
///
/// Its JSON is `{"type":"finished","value":…}` or `{"type":"dismissed"}`.
public enum Outcome<Value: Codable & Sendable>: Sendable {
  /// With a result.
  case finished(Value)
  /// Without a result: the user or the app left it.
  case dismissed
}

extension Outcome: Equatable where Value: Equatable {}

extension Outcome: Codable {
  private enum Ending: String, Codable, CaseIterable {
    case finished, dismissed
  }

  private enum Key: String, CodingKey {
    case type, value
  }

  /// Decodes an outcome.
  /// - Throws: `DecodingError` for another shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Ending.self, forKey: .type) {
    case .finished: self = .finished(try container.decode(Value.self, forKey: .value))
    case .dismissed: self = .dismissed
    }
  }

  /// Encodes the type, and the value of a screen that finished.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .finished(let value):
      try container.encode(Ending.finished, forKey: .type)
      try container.encode(value, forKey: .value)
    case .dismissed:
      try container.encode(Ending.dismissed, forKey: .type)
    }
  }
}
