/// What has happened since the last frame: everything that the next one will say.
///
/// It is emptied after each frame and not made anew, so that its arrays keep their memory.
package struct Changes {
  package var outputs: [any OutputPort] = []
  package var opened: [ScreenNode] = []
  /// Screens that the document still holds.
  package var closed: [ScreenID] = []
  /// Prompts that came or went, in the order of their first change.
  package var prompts: [PromptID] = []
  package var navigation = false
  package var commands: [NavigationCommand] = []
  package var events: [EventRecord] = []
  /// The id of the newest request behind any of it.
  package var cause: String?

  package var isEmpty: Bool {
    outputs.isEmpty && opened.isEmpty && closed.isEmpty && prompts.isEmpty && !navigation
      && commands.isEmpty && events.isEmpty
  }

  /// Forgets everything: it has been said.
  package mutating func removeAll() {
    outputs.removeAll(keepingCapacity: true)
    cause = nil
    guard !isEmpty else { return }
    opened = []
    closed = []
    prompts = []
    navigation = false
    commands = []
    events = []
  }
}

/// A one-shot value on its way out.
package struct EventRecord {
  package let screen: ScreenID
  package let name: String
  /// The value as JSON text.
  package let value: [UInt8]
}
