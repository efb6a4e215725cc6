internal import Offstage
internal import OffstageJSON

/// A hash of an app's ports and schemas, regardless of its version and of texts for people. A front end
/// whose types were generated from a description compares it.
struct SchemaHash {
  // FNV-1a: it detects accidental changes, and need not resist an attacker.
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// - Returns: 16 hexadecimal digits.
  /// - Throws: `SchemaError` for a type of a port that cannot be described.
  @CoreActor
  static func of(_ app: App) throws -> String {
    // Every start computes it, so it is fed with what differs between apps: neither titles nor methods.
    let schemas = try ProtocolSchemas(of: app, nil)
    var hash = Self()
    hash.add(.object(schemas.all))
    hash.add(.object(schemas.prompts))
    let screens = schemas.screens + schemas.parts + [schemas.scope].compactMap(\.self)
    for screen in screens { hash.add(screen) }
    return hash.hash.hexadecimal()
  }

  private mutating func add(_ screen: ScreenDescription) {
    add(.string(screen.kind))
    add(screen.argument ?? .null)
    add(screen.result ?? .null)
    for ports in [screen.inputs, screen.fields, screen.outputs, screen.events] {
      for port in ports {
        add(.string(port.name))
        add(port.schema)
        add(.object(port.keywords))
      }
      add(.null)
    }
  }

  private mutating func add(_ json: JSON) {
    switch json {
    case .null, .bool, .number: add(json.description)
    case .string(let text): add("\"\(text)\"")
    case .array(let elements):
      add("[")
      for element in elements { add(element) }
      add("]")
    case .object(let object):
      add("{")
      for (name, value) in object.members {
        add(name)
        add(value)
      }
      add("}")
    }
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
  }
}
