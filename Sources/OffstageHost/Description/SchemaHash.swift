internal import Offstage
internal import OffstageJSON

/// A hash of an app's ports and schemas, but not of its version and labels. A front end with
/// generated types checks it against that of its own description.
enum SchemaHash {
  /// - Returns: 16 hexadecimal digits; nil if a type has no schema.
  @CoreActor
  static func of(_ app: App) throws(PortError) -> String? {
    // Most starts compute it, so it leaves out titles and the schemas of the protocol.
    let catalog = SchemaCatalog(labels: nil)
    let (screens, scope) = try app.describe(catalog)
    var writer = JSONWriter()
    for screen in screens { write(screen, to: &writer) }
    if let scope { write(scope, to: &writer) }
    for part in catalog.parts { write(part, to: &writer) }
    for prompt in app.prompts {
      writer.string(prompt.kind)
      writer.json(try prompt.params(catalog))
      writer.json(try prompt.answer(catalog))
    }
    guard catalog.failure == nil else { return nil }
    writer.json(.object(catalog.schemas))
    return writer.bytes.withUnsafeBytes { $0.fnv1a.hexadecimal() }
  }

  private static func write(_ screen: ScreenDescription, to writer: inout JSONWriter) {
    writer.string(screen.kind)
    writer.json(screen.argument ?? .null)
    writer.json(screen.result ?? .null)
    for ports in [screen.inputs, screen.fields, screen.outputs, screen.events] {
      writer.beginArray()
      for port in ports {
        writer.string(port.name)
        writer.json(port.schema)
        writer.json(.object(port.keywords))
      }
      writer.endArray()
    }
  }
}

extension Sequence<UInt8> {
  /// The FNV-1a hash of the bytes, which is the same in every run. It detects accidental changes, and does
  /// not have to resist an attacker.
  var fnv1a: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
