package import OffstageJSON

/// What a kind of screen takes and gives, as JSON Schemas.
package struct ScreenDescription {
  package let kind: String
  package let argument: JSON
  package let result: JSON
  package var inputs: [(name: String, schema: JSON)] = []
  package var outputs: [(name: String, schema: JSON)] = []
  package var events: [(name: String, schema: JSON)] = []

  /// - Throws: `SchemaError` for a port whose type cannot be described.
  @CoreActor
  init<S: Screen>(_ screen: S.Type) throws {
    kind = S.kind
    argument = try Schema.of(S.Argument.self)
    result = try Schema.of(S.Result.self)
    for (name, port) in S.Input().named() + S.Output().named() {
      switch port {
      case let port as any InputPort: inputs.append((name, try port.schema))
      case let port as any OutputPort: outputs.append((name, try port.schema))
      case let port as any EventPort: events.append((name, try port.schema))
      default: break
      }
    }
  }
}
