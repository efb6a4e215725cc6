internal import OffstageJSON

/// Everything that has changed since the last frame, for the next one.
///
/// A core empties it after each frame instead of creating a new one: `ports`, which nearly every
/// input fills, then keeps its memory.
package struct Changes {
  package var ports: [any DocumentPort] = []
  package var opened: [ScreenNode] = []
  /// Closed screens that are still in the document.
  package var closed: [ScreenID] = []
  /// Prompts that appeared or disappeared, in the order of their first change.
  package var prompts: [PromptID] = []
  package var navigation = Navigation.Extent()
  package var display = false
  /// True if every title in the description may have changed.
  package var language = false
  package var commands: [NavigationCommand] = []
  package private(set) var events: [EventRecord] = []
  private var eventBytes = 0
  /// The id of the newest request behind these changes.
  package var cause: String?

  package var isEmpty: Bool {
    ports.isEmpty && opened.isEmpty && closed.isEmpty && prompts.isEmpty && navigation.isEmpty
      && commands.isEmpty && events.isEmpty && !display && !language
  }

  /// An estimate, in bytes, of what accumulates while no frame can be sent. Outputs do not
  /// accumulate: they keep only their latest value.
  package var backlog: Int {
    let count = opened.count + closed.count + prompts.count + commands.count
    return eventBytes + 64 * events.count + 1024 * count
  }

  mutating func append(_ event: EventRecord) {
    events.append(event)
    eventBytes += event.value.count
  }

  mutating func removeAll() {
    ports.removeAll(keepingCapacity: true)
    cause = nil
    if !isEmpty { self = Changes(ports: ports) }
  }
}

/// A value of an event, to be sent once.
package struct EventRecord {
  package let screen: ScreenID
  package let name: String
  /// The value as JSON text.
  package let value: [UInt8]
}

/// A failure that is not the answer to a request. The front end gets it as an `error` notification.
package struct Fault: Error, CustomStringConvertible {
  /// One sentence about what failed and where, one about what to do.
  package let description: String
  /// True if there was too much of something, rather than a mistake of the app.
  package let isOverload: Bool

  package init(_ description: String, isOverload: Bool = false) {
    self.description = description
    self.isOverload = isOverload
  }
}

/// The request that caused the current work. Effects and timers hold on to it, so that a late frame
/// can name it and a front end can cancel everything that it started.
@CoreActor
package final class Cause {
  /// The id of the request as JSON text; nil for a notification.
  package let id: String?

  /// The number of effects and timers, started directly or indirectly, that are still running.
  package private(set) var unfinished = 0
  /// The core that lists it in `runningCauses` while something runs; nil for a notification.
  private unowned let core: Core?

  package init(id: String?, core: Core? = nil) {
    self.id = id
    self.core = id == nil ? nil : core
  }

  func began() {
    if unfinished == 0 { core?.runningCauses[ByteString(id!)] = self }
    unfinished += 1
  }

  func ended() {
    unfinished -= 1
    guard unfinished == 0, let core, let id else { return }
    // Another request may have reused the id since.
    let key = ByteString(id)
    if core.runningCauses[key] === self { core.runningCauses[key] = nil }
  }
}
