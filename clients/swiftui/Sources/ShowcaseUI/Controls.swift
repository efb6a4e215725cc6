import Foundation
import OffstageClient

/// A text, a choice, a switch, or a value that is typed.
@MainActor
struct Editor {
  let port: PortDescription
  let field: RemoteField
  /// The values of a choice, with their titles: those that an output has, or else all.
  let choices: [(value: Value, title: String)]
  /// The value that an output shows; nil if the field does.
  private let shown: Value?
  private let isField: Bool
  let isEnabled: Bool

  /// Creates an editor, or returns nil for an input without a value to edit.
  init?(_ port: PortDescription, _ screen: RemotePart, isField: Bool) {
    let related = { (role: String) in
      screen.description.outputs.first {
        $0.role(is: [role]) && $0.says["x-input"].string == port.name
      }
    }
    choices =
      related("options").map { options in
        (screen[options.name].array ?? []).map { ($0, Wording.text(of: $0, options.element)) }
      } ?? port.choices
    shown = related("selection").map { screen[$0.name] }
    isEnabled = screen.enables(port)
    field = screen.field(port.name)
    let hasContent = isField || !field.value.isNull
    let isTyped = port.role == .value && port.members.isEmpty && hasContent
    guard [.text, .choice, .toggle].contains(port.role) || isTyped else { return nil }
    (self.port, self.isField) = (port, isField)
  }

  /// Lets the core say what is wrong with a text that the person has left.
  func leave() {
    if isField { field.check() }
  }

  /// True for a text of several lines.
  var isLong: Bool {
    let media = port.schema["contentMediaType"].string ?? ""
    return port.says["x-purpose"] == "long" || media.hasPrefix("text/")
  }

  var isOn: Bool {
    get { field.value.bool ?? false }
    nonmutating set { field.value = newValue ? true : false }
  }

  /// The content as a person types it.
  var text: String {
    get {
      let value = field.value
      if let array = value.array {
        return array.map { Wording.text(of: $0, port.element) }.joined(separator: ", ")
      }
      return value.isNull ? "" : value.string ?? "\(value)"
    }
    nonmutating set { field.value = Wording.value(of: newValue, port) }
  }

  /// The date and the time of a text that has them; nil for any other text, and for one that names
  /// none, which a person types.
  var moment: (kind: Moment, date: Date)? {
    get {
      guard let kind = port.schema["format"].string.flatMap(Moment.init),
        let date = field.value.string.flatMap(kind.date)
      else { return nil }
      return (kind, date)
    }
    nonmutating set {
      if let newValue { field.value = Value(newValue.kind.text(of: newValue.date)) }
    }
  }

  /// The title of the current choice.
  var choice: String {
    get {
      let current = shown ?? field.value
      return (choices + port.choices).first { $0.value == current }?.title ?? ""
    }
    nonmutating set {
      guard let chosen = choices.first(where: { $0.title == newValue }) else { return }
      field.value = chosen.value
    }
  }
}

/// An input that takes a file.
@MainActor
struct FilePicker {
  let port: PortDescription
  let screen: RemotePart

  var rule: FileRule { FileRule(port.says["x-accepts"]) }
  var isEnabled: Bool { screen.enables(port) }

  /// Sends a file of a media type. Returns why it cannot be taken; nil if it is sent.
  func pick(_ file: URL, _ type: String) -> String? {
    do { screen.send(port.name, try rule.read(file, type)) } catch { return error.description }
    return nil
  }
}

/// A button.
@MainActor
struct Button {
  let port: PortDescription
  let screen: RemotePart

  /// What a button is for; nil for one like any other, and for a weight that is not known.
  enum Weight: String { case main, destructive, cancel }

  let weight: Weight?
  /// The title that an output gives the button, or else the static one.
  let title: String
  /// Why the button is disabled; empty if it is enabled, or if a field says why.
  let reason: String

  init(port: PortDescription, screen: RemotePart) {
    (self.port, self.screen) = (port, screen)
    let description = screen.description
    weight = port.says["x-weight"].string.flatMap { Weight(rawValue: $0) }
    let condition = description.outputs.first { $0.name == port.enabledBy }
    let isSaid = description.fields.contains { screen.field($0.name).error != nil }
    let isOff = condition.map { screen[$0.name].bool == false } ?? false
    reason = isOff && !isSaid ? condition?.help ?? "" : ""
    let label = description.outputs.first {
      $0.role(is: ["label"]) && $0.says["x-input"].string == port.name
    }
    let text = label.flatMap { screen[$0.name].string } ?? ""
    title = text.isEmpty ? port.title : text
  }

  var isEnabled: Bool { screen.enables(port) }

  func press() { screen.send(port.name) }
}
