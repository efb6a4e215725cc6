package import OffstageJSON

/// The place of a screen in the core: its ports by name, and everything that ends with it.
@CoreActor
package final class ScreenNode {
  package let id: ScreenID
  package let kind: String
  package unowned let core: Core
  /// nil until the screen is created and after it has ended.
  package private(set) var screen: (any Screen)?
  /// The request of the user that the screen has refused, to be taken once it agrees.
  var intention: (() -> Void)?
  // Unchecked where every input passes; see `CoreActor`.
  @exclusivity(unchecked)
  package private(set) var inputs: [(name: String, port: any InputPort)] = []
  package private(set) var outputs: [(name: String, port: any OutputPort)] = []
  /// The inputs whose content is in the document.
  package private(set) var fields: [(name: String, port: any FieldPort)] = []
  /// True while the document contains the screen. Before that, its ports need not report changes.
  @exclusivity(unchecked) package var isPublished = false
  /// True while this screen and others are about to end together.
  var isEnding = false

  private var ports: [Port] = []
  private var subscriptions: [Subscription] = []
  /// The effects of the screen and of its helpers.
  private var effects: [Effects] = []
  private var timers: [ObjectIdentifier: Timer] = [:]
  private var result: (any Sendable)?
  private var endObservers: [((any Sendable)?) -> Void] = []
  /// The inputs that receive the outcome of the screen.
  private var receivers: [Port] = []

  /// The node whose screen is being created.
  private(set) static var current: ScreenNode?

  init(id: ScreenID, kind: String, core: Core) {
    self.id = id
    self.kind = kind
    self.core = core
  }

  /// True while the screen is open or being created. Objects that can outlive a screen check it.
  ///
  /// They hold its node strongly: an object that has ever had a weak reference is slower to retain,
  /// and every input retains a node.
  var isOpen: Bool { screen != nil && !isEnding || Self.current === self }

  /// The node whose screen is being created. `Effects()`, `Router()`, `Prompts()`, and the operators
  /// that need timers belong to it.
  static func beingCreated(
    for call: StaticString, _ fileID: StaticString, _ line: UInt
  ) -> ScreenNode {
    guard let current else {
      fatalError(
        "\(call) outside of the creation of a screen. Call it in a stored property or `init` of a "
          + "screen or its helpers, while the app's factory or TestCore.show creates the screen.",
        file: fileID, line: line)
    }
    return current
  }

  /// Creates the screen and attaches its ports to this node.
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
      if let field = port as? any FieldPort { fields.append((name, field)) }
    }
  }

  /// The input with a name. A linear search, since hashing is slower for so few.
  package func input(named name: JSONView) -> (any InputPort)? {
    for index in inputs.indices where name.equals(inputs[index].name) { return inputs[index].port }
    return nil
  }

  /// The JSON Pointer of a field.
  func path(ofField name: String) -> [UInt8] { Array("\(path)/fields/\(name)".utf8) }

  /// The JSON Pointer of an output.
  func path(ofOutput name: String) -> [UInt8] { Array("\(path)/output/\(name)".utf8) }

  private var path: String { id == .app ? "/app" : "/screens/\(id)" }

  // MARK: Work

  func keep(_ subscription: Subscription) { subscriptions.append(subscription) }

  func keep(_ effects: Effects) { self.effects.append(effects) }

  var runningEffects: [Effect] { effects.flatMap(\.running.values) }

  var queuedEffects: [Effect] { effects.flatMap(\.queued) }

  var pendingTimers: [(deadline: Duration, work: PendingWork)] {
    timers.values.map { timer in
      let work = PendingWork(
        screen: id, kind: .timer, name: timer.name, cause: timer.cause?.id, isBusy: false)
      return (timer.timer.deadline, work)
    }
  }

  private struct Timer {
    /// The operator that started it.
    let name: String
    let timer: CoreTimer
    let cause: Cause?
    /// True if canceling the request cancels the timer.
    let endsWithRequest: Bool
  }

  /// Runs `action` after `delay` on the core's clock, on behalf of the current cause.
  func schedule(
    _ name: String, after delay: Duration, hasCause: Bool = true, endsWithRequest: Bool = true,
    _ action: @escaping () -> Void
  ) -> Subscription {
    guard isOpen else { return Subscription() }
    let cause = hasCause ? core.cause : nil
    var key: ObjectIdentifier?
    let timer = core.clock.schedule(after: delay) { [unowned self] in
      if let key { timers[key] = nil }
      #if DEBUG
        LateObservation.handle { core.during(cause, action) }
      #else
        core.during(cause, action)
      #endif
      cause?.ended()
      // A request that waits for this timer is answered even if `action` changed nothing.
      core.scheduleTurnEnd()
    }
    key = ObjectIdentifier(timer)
    timers[ObjectIdentifier(timer)] = Timer(
      name: name, timer: timer, cause: cause, endsWithRequest: endsWithRequest)
    cause?.began()
    return Subscription { self.cancel(timer) }
  }

  private func cancel(_ timer: CoreTimer) {
    guard let timer = timers.removeValue(forKey: ObjectIdentifier(timer)) else { return }
    core.clock.cancel(timer.timer)
    timer.cause?.ended()
    core.scheduleTurnEnd()
  }

  /// Cancels what a request has started here and what has not begun: timers and queued work.
  func cancelPending(of cause: Cause) {
    for effects in effects { effects.cancelQueued { $0.cause === cause } }
    for timer in timers.values where timer.endsWithRequest && timer.cause === cause {
      cancel(timer.timer)
    }
  }

  // MARK: The end

  /// Closes the screen with a result, unless it is the root of a stack.
  func finish(_ value: some Codable & Sendable) {
    guard screen != nil else { return }
    core.emit(value, named: "finished", of: self)
    guard core.canClose(id) else { return }
    result = value
    core.close(id)
  }

  /// Calls `action` exactly once with the result; nil if the screen was dismissed. At once if the
  /// screen has ended.
  func onEnd(_ action: @escaping ((any Sendable)?) -> Void) {
    if screen == nil { action(result) } else { endObservers.append(action) }
  }

  /// Calls `action` once per receiver, even if the receiver asks repeatedly.
  func onEnd(for receiver: Port, _ action: @escaping ((any Sendable)?) -> Void) {
    if receivers.contains(where: { $0 === receiver }) { return }
    if screen != nil { receivers.append(receiver) }
    onEnd(action)
  }

  /// Ends everything that belongs to the screen. Only the core calls it, once the navigation no
  /// longer shows the screen.
  func end() {
    // Ports first: no observer sees what ending the work below sends.
    for subscription in subscriptions { subscription.cancel() }
    for port in ports { port.detach() }
    for effects in effects { effects.cancelQueued { !$0.outlivesScreen } }
    core.cancelAll { runningEffects.filter { !$0.outlivesScreen } }
    core.lingering += runningEffects
    for timer in timers.values { cancel(timer.timer) }
    subscriptions = []
    effects = []
    ports = []
    inputs = []
    outputs = []
    fields = []
    screen = nil
    intention = nil
    let observers = endObservers
    endObservers = []
    receivers = []
    for observer in observers { observer(result) }
  }
}
