import OffstageClient

/// A text that a person types, as a member of a value or, without a name, as the value.
struct TypedText: Identifiable {
  let id: String
  let hint: String
  let port: PortDescription

  /// The texts of a value: one for each member of an object, and none for null.
  static func all(of port: PortDescription) -> [TypedText] {
    if port.isObject {
      return port.members.map { TypedText(id: $0.name, hint: $0.title, port: $0) }
    }
    let hint = port.placeholder ?? port.title
    return port.schema["type"] == "null" ? [] : [TypedText(id: "", hint: hint, port: port)]
  }

  /// Makes the value from what has been typed, by the ids of the texts.
  static func value(of texts: [String: String], _ port: PortDescription) -> Value {
    let values = all(of: port).map { text in
      (name: text.id, value: Wording.value(of: texts[text.id] ?? "", text.port))
    }
    return port.isObject ? Value(members: values) : values.first?.value ?? .null
  }
}

extension PortDescription {
  /// True for an object, or null in its place.
  fileprivate var isObject: Bool {
    let types = schema["type"].array?.compactMap(\.string) ?? [schema["type"].string ?? ""]
    return types.contains("object")
  }
}

/// An input whose value is typed as a whole, such as an object, and sent by a button.
@MainActor
struct ValueForm {
  let port: PortDescription
  let screen: RemotePart

  /// Creates the form of an input, or returns nil for one that takes no value, or a list of objects,
  /// which other screens fill in.
  init?(_ port: PortDescription, _ screen: RemotePart) {
    let isList = port.schema["type"] == "array" && !port.members.isEmpty
    guard port.role == .value, !isList else { return nil }
    (self.port, self.screen) = (port, screen)
  }

  var texts: [TypedText] { TypedText.all(of: port) }
  var isEnabled: Bool { screen.enables(port) }

  func send(_ texts: [String: String]) {
    screen.send(port.name, TypedText.value(of: texts, port))
  }
}
