/// How a screen ended.
///
/// On the wire `{"type":"finished","value":…}` or `{"type":"dismissed"}`.
public enum Outcome<Value: Codable & Sendable>: Sendable {
  /// With a result.
  case finished(Value)
  /// Without: the person or the app went away from it.
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

  /// Reads what `encode(to:)` writes.
  /// - Throws: `DecodingError` for any other shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Ending.self, forKey: .type) {
    case .finished: self = .finished(try container.decode(Value.self, forKey: .value))
    case .dismissed: self = .dismissed
    }
  }

  /// Writes the type, and the value of a screen that finished.
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
