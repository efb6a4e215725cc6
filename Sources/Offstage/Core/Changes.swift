/// What has happened since the last frame: everything that the next one will say.
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
  /// The newest request behind any of it.
  package var cause: Cause?

  package var isEmpty: Bool {
    outputs.isEmpty && opened.isEmpty && closed.isEmpty && prompts.isEmpty && !navigation
      && commands.isEmpty && events.isEmpty
  }
}

/// A one-shot value on its way out.
package struct EventRecord {
  package let screen: ScreenID
  package let name: String
  /// The value as JSON text.
  package let value: [UInt8]
}
