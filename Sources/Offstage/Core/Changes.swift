/// What has happened since the last frame: everything that the next one will say.
///
/// One object for the life of a core, emptied after each frame, so that its arrays keep their memory.
@CoreActor
package final class Changes {
  @exclusivity(unchecked) package var outputs: [any OutputPort] = []
  @exclusivity(unchecked) package var opened: [ScreenNode] = []
  /// Screens that the document still holds.
  @exclusivity(unchecked) package var closed: [ScreenID] = []
  /// Prompts that came or went, in the order of their first change.
  @exclusivity(unchecked) package var prompts: [PromptID] = []
  @exclusivity(unchecked) package var navigation = false
  @exclusivity(unchecked) package var commands: [NavigationCommand] = []
  @exclusivity(unchecked) package var events: [EventRecord] = []
  /// The newest request behind any of it.
  @exclusivity(unchecked) package var cause: Cause?

  package var isEmpty: Bool {
    outputs.isEmpty && opened.isEmpty && closed.isEmpty && prompts.isEmpty && !navigation
      && commands.isEmpty && events.isEmpty
  }

  /// Forgets everything: it has been said.
  package func removeAll() {
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
