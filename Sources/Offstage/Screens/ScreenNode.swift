package import OffstageJSON

/// A screen's place in the core: its ports by name, and all that must end with it.
@CoreActor
package final class ScreenNode {
  package let id: ScreenID
  package let kind: String
  package unowned let core: Core
  package private(set) var screen: (any Screen)?
  @exclusivity(unchecked)
  package private(set) var inputs: [(name: String, port: any InputPort)] = []
  package private(set) var outputs: [(name: String, port: any OutputPort)] = []
  /// Whether the document holds it; until then its ports need not tell of changes.
  @exclusivity(unchecked) package var isPublished = false

  private var ports: [Port] = []
  private var subscriptions: [Subscription] = []
  /// Whatever of the screen starts effects: its own, and those of its helpers.
  private var starters: [Effects] = []
  private var effects: [ObjectIdentifier: Effect] = [:]
  private var timers: [ObjectIdentifier: Timer] = [:]
  private var result: (any Sendable)?
  private var whenEnded: [((any Sendable)?) -> Void] = []
  /// The inputs that its end is delivered to.
  private var receivers: [Port] = []

  /// The node whose screen is being made right now: `Effects()`, `Router()`, `Prompts()` and the
  /// operators that need time belong to it.
  private(set) static var current: ScreenNode?

  init(id: ScreenID, kind: String, core: Core) {
    self.id = id
    self.kind = kind
    self.core = core
  }

  /// Whether the screen is there, or about to be. What outlives it asks before it does anything.
  ///
  /// Nothing points at a node weakly: each is asked for by every input, and an object that has ever
  /// had a weak reference is slow to retain for good.
  var isOpen: Bool { screen != nil && !isEnding || Self.current === self }

  /// Whether it is about to end, together with others.
  var isEnding = false

  /// The node whose screen is being made.
  static func making(_ what: StaticString) -> ScreenNode {
    guard let current else {
      fatalError(
        "\(what) belongs to a screen: call it while one is being made (by the app's factory, or in "
          + "a test by TestCore.show)")
    }
    return current
  }

  /// Makes the screen and ties its ports to this node.
  func mount(_ make: () throws -> any Screen) rethrows {
    let outer = Self.current
    Self.current = self
    defer { Self.current = outer }
    attach(to: try make())
  }

  private func attach<S: Screen>(to screen: S) {
    self.screen = screen
    for (name, port) in screen.input.named() + screen.output.named() {
      port.attach(to: self, as: name)
      ports.append(port)
      if let input = port as? any InputPort { inputs.append((name, input)) }
      if let output = port as? any OutputPort { outputs.append((name, output)) }
    }
  }

  /// The input of a name. There are few, so looking through them is quicker than hashing.
  package func input(named name: JSONView) -> (any InputPort)? {
    for index in inputs.indices where name.equals(inputs[index].name) { return inputs[index].port }
    return nil
  }

  /// The JSON Pointer of one of its outputs.
  func path(ofOutput name: String) -> [UInt8] { Array("/screens/\(id)/output/\(name)".utf8) }

  // MARK: What ends with it

  func keep(_ subscription: Subscription) { subscriptions.append(subscription) }

  func keep(_ starter: Effects) { starters.append(starter) }

  func began(_ effect: Effect) { effects[ObjectIdentifier(effect)] = effect }

  func ended(_ effect: Effect) { effects[ObjectIdentifier(effect)] = nil }

  private struct Timer {
    let timer: CoreTimer
    let cause: Cause?
    /// Whether it ends when the request behind it is cancelled.
    let endsWithRequest: Bool
  }

  /// Runs `action` after `delay` on the core's clock, with the present cause.
  func schedule(
    after delay: Duration, endsWithRequest: Bool, _ action: @escaping () -> Void
  ) -> Subscription {
    guard isOpen else { return Subscription() }
    let cause = core.cause
    var key: ObjectIdentifier?
    let timer = core.clock.schedule(after: delay) { [unowned self] in
      if let key { timers[key] = nil }
      core.during(cause, action)
      cause?.ended()
      // Whoever waits for this request is answered, even if the action has changed nothing.
      core.endTurnLater()
    }
    key = ObjectIdentifier(timer)
    timers[ObjectIdentifier(timer)] = Timer(
      timer: timer, cause: cause, endsWithRequest: endsWithRequest)
    cause?.began()
    return Subscription { self.cancel(timer) }
  }

  private func cancel(_ timer: CoreTimer) {
    guard let timer = timers.removeValue(forKey: ObjectIdentifier(timer)) else { return }
    core.clock.cancel(timer.timer)
    timer.cause?.ended()
    core.endTurnLater()
  }

  /// Cancels what a request started here and what has not begun: timers, and work that waits for its
  /// turn.
  func cancelPending(of cause: Cause) {
    for effects in starters { effects.cancelWaiting(of: cause) }
    for timer in timers.values where timer.endsWithRequest && timer.cause === cause {
      cancel(timer.timer)
    }
  }

  // MARK: Its end

  /// Ends the screen with a result, if it can be closed.
  func finish(_ value: some Codable & Sendable) {
    guard screen != nil else { return }
    core.emit(value, named: "finished", of: self)
    guard core.canClose(id) else { return }
    result = value
    core.close(id)
  }

  /// Calls back exactly once with the result, or with nil when it was dismissed; at once where it
  /// has ended already.
  func onEnd(_ action: @escaping ((any Sendable)?) -> Void) {
    if screen == nil { action(result) } else { whenEnded.append(action) }
  }

  /// As above, but once for each receiver, however often it asks.
  func onEnd(for receiver: Port, _ action: @escaping ((any Sendable)?) -> Void) {
    if receivers.contains(where: { $0 === receiver }) { return }
    if screen != nil { receivers.append(receiver) }
    onEnd(action)
  }

  /// Lets go of everything. Called by the core alone, once the navigation no longer shows it.
  func end() {
    // Ports first: what the end of the work below says, nobody hears any more.
    for subscription in subscriptions { subscription.cancel() }
    for port in ports { port.detach() }
    // Cancelled work hands its turn to what is queued behind it, so this goes on until none is left.
    while let effect = effects.values.min(by: { $0.number < $1.number }) { effect.cancel() }
    for timer in timers.values { cancel(timer.timer) }
    subscriptions = []
    starters = []
    ports = []
    inputs = []
    outputs = []
    screen = nil
    let actions = whenEnded
    whenEnded = []
    receivers = []
    for action in actions { action(result) }
  }
}
