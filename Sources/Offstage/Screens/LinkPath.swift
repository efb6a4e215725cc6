internal import OffstageJSON

/// The pattern of a link: the scheme, host, and path components of its URLs.
struct LinkPath: Sendable {
  private let pattern: String
  private let components: [Substring]

  init(_ pattern: String) {
    self.pattern = pattern
    components = Self.components(of: pattern)
  }

  var names: [String] { components.compactMap(Self.name) }

  /// The percent-decoded texts at the names; nil if the URL does not match.
  func values(in url: String) -> [String: String]? {
    let found = Self.components(of: url)
    guard found.count == components.count else { return nil }
    var values: [String: String] = [:]
    for (expected, found) in zip(components, found) {
      if let name = Self.name(expected) {
        guard let text = found.percentDecoded, !text.isEmpty else { return nil }
        values[name] = text
      } else if !expected.utf8.elementsEqual(found.utf8),
        // As a browser writes it.
        found.percentDecoded?.utf8.elementsEqual(expected.utf8) != true
      {
        return nil
      }
    }
    return values
  }

  /// The URL with the texts at the names; nil if a text cannot be a component. A browser takes `.`
  /// and `..` for the folders, even percent-encoded.
  func url(_ values: [String: String]) -> String? {
    var components: [String] = []
    let bytes = Self.path(of: pattern)
    for component in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let name = Self.name(Substring(component)) else {
        components.append(String(Substring(component)).percentEncoded(keeping: "!$%&'()*+,;=:@"))
        continue
      }
      guard let text = values[name], !["", ".", ".."].contains(text) else { return nil }
      components.append(text.percentEncoded())
    }
    return components.joined(separator: "/")
  }

  private static func name(_ component: Substring) -> String? {
    guard component.utf8.first == UInt8(ascii: ":") else { return nil }
    return String(Substring(component.utf8.dropFirst()))
  }

  /// The bytes of a URL before its query and fragment.
  private static func path(of url: String) -> Substring.UTF8View {
    url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
  }

  /// The scheme, host, and path components of a URL, without its query and fragment. Split by
  /// bytes, because a combining mark after a delimiter forms a single `Character` with it.
  private static func components(of url: String) -> [Substring] {
    var components = path(of: url).split(separator: UInt8(ascii: "/")).map { Substring($0) }
    // A scheme ignores case (RFC 3986).
    if components.first?.utf8.last == UInt8(ascii: ":") {
      components[0] = components[0].lowercased()[...]
    }
    return components
  }
}

/// The argument of a screen, as the texts at the names in a pattern.
struct LinkArgument: Sendable {
  private let names: [String]
  /// The types in JSON, such as `integer`, of the members that a text can stand for.
  private var types: [String: String] = [:]
  /// The type of an argument that a text can stand for as a whole, and not by its members.
  private var type: String?
  private var required: [String] = []

  init(_ argument: any Decodable.Type, _ names: [String]) {
    self.names = names
    let catalog = SchemaCatalog(labels: nil)
    // A type without a schema stops the description of the app, with a reason.
    guard let schema = try? catalog.schema(of: argument) else { return }
    let shape = catalog.shape(of: schema)
    type = Self.type(of: shape)
    for (name, member) in shape.properties.members {
      types[name] = Self.type(of: catalog.shape(of: member))
    }
    required = shape.schema["required"]?.array?.compactMap(\.string) ?? []
  }

  /// The JSON type of a text, number, or Boolean, apart from null; nil for any other type.
  private static func type(of shape: ValueShape) -> String? {
    shape.schema["type"]?.names.first { ["string", "integer", "number", "boolean"].contains($0) }
  }

  /// A name in the pattern that stands for nothing in the argument; nil if there is none.
  var unknownName: String? {
    type == nil ? names.first { types[$0] == nil } : names.dropFirst().first
  }

  /// A member without which no argument can be decoded, and which is not in the pattern.
  var missingName: String? {
    if type != nil { return names.isEmpty ? "value" : nil }
    return required.first { !names.contains($0) }
  }

  /// The argument for the texts at the names; nil if one does not fit its member.
  func json(_ texts: [String: String]) -> JSON? {
    if let type { return texts.first.flatMap { Self.value($0.value, type) } }
    var members = JSONObject()
    for name in names {
      guard let text = texts[name], let type = types[name], let value = Self.value(text, type)
      else { return nil }
      members[name] = value
    }
    return .object(members)
  }

  private static func value(_ text: String, _ type: String) -> JSON? {
    switch type {
    case "integer": Int(text).map { .int($0) }
    case "number":
      Double(text).flatMap { $0.isFinite ? .number(JSONNumber($0)) : nil }
    case "boolean": Bool(text).map { .bool($0) }
    default: .string(text)
    }
  }

  /// The texts at the names for an argument; nil if it has none for one of them.
  func values(in argument: JSON) -> [String: String]? {
    var texts: [String: String] = [:]
    for name in names {
      switch type == nil ? argument[name] : argument {
      case .string(let text): texts[name] = text
      case .number(let number): texts[name] = number.description
      case .bool(let value): texts[name] = value.description
      case nil, .null, .array, .object: return nil
      }
    }
    return texts
  }
}

extension String {
  /// The text as one component of a URL's path.
  /// - Parameter others: The characters to keep, besides those that RFC 3986 does not reserve.
  package func percentEncoded(keeping others: String = "") -> String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      case _ where others.utf8.contains(byte): String(UnicodeScalar(byte))
      default: (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

extension Substring {
  /// The text without percent-encoding; nil if it is malformed.
  package var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalDigit,
        let low = rest.popFirst()?.hexadecimalDigit
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
