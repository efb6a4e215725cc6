package import OffstageJSON

/// The place of a screen, or of a part of one, in the core: its ports by name, and everything that
/// ends with it.
@CoreActor
package final class ScreenNode {
  /// The id of the screen, which its parts share.
  package let id: ScreenID
  package let kind: String
  /// The route that the screen was created from; nil for a part, the scope, and a test's screen.
  var route: Route?
  /// The URL that leads to the screen; nil if no link does, and until the navigation shows it.
  package internal(set) var url: String?
  package unowned let core: Core
  /// The screen or part; nil until it is created and after it has ended.
  package private(set) var part: (any Part)?
  /// The node of the screen or part that contains this one; nil for a screen.
  @exclusivity(unchecked) unowned var parent: ScreenNode?
  /// The output of the parent that shows this part. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) unowned var container: (any ChildPort)?
  /// The parts in the order of creation. A tree, for removing the parts of a long list one by one.
  private var children = OrderStatisticTree<ObjectIdentifier, ScreenNode>()
  /// The member `id` of a part in the document; nil for a part without an id.
  private(set) var partID: JSON?
  /// The JSON Pointer in the document, as the bytes of a JSON string. For a part, it is set when a
  /// change of the part is written.
  var path: [UInt8] = []
  /// The ports of a part with changes for the next frame.
  var changedPorts: [any DocumentPort] = []
  var refusedNavigation: RefusedNavigation?
  /// True while the document contains the screen. Before that, its ports need not report changes.
  @exclusivity(unchecked) package var isPublished = false
  /// True while this screen and others are about to end together.
  var isEnding = false {
    didSet { for part in parts { part.isEnding = isEnding } }
  }

  /// The inputs, the outputs and events, and then the inputs that are properties of the screen.
  /// Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) private(set) var ports: [Port] = []
  private var inputCount = 0
  /// The fields, outputs, and values that the core's state contains, in the order of creation.
  @exclusivity(unchecked) var keepers: [any Keeper] = []
  /// Their names; nil until they are needed.
  var foundKeeperNames: [String?]?
  /// What precedes a changed value of each in the journal; nil until a value changes, or without a name.
  @exclusivity(unchecked) var valuePrefixes: [[UInt8]?] = []
  /// The positions of those that have changed since the state was last kept.
  @exclusivity(unchecked) var changedKeepers: [Int] = []
  /// The parts that have changed since then, each below this screen itself.
  @exclusivity(unchecked) var changedParts: [ScreenNode] = []
  /// True if the kept state contains the screen.
  var isStateKept = false
  /// The values of the keepers before the core restarted; nil for a new screen.
  var saved: SavedValues? {
    didSet { unclaimed = saved?.named ?? [:] }
  }
  /// True if it was on display before the restart, and the front end goes on showing what it showed.
  var hadAppeared = false
  /// What keeps its state under a name of its own, in the order of creation.
  var namedKeepers: [NamedEntry] = []
  /// The states from before the restart whose keepers have not been declared since.
  var unclaimed: [String: JSON] = [:]
  private var subscriptions: [Subscription] = []
  /// What was derived while the screen was being created, and the ports, which may have no other
  /// owner.
  private var derivations: [(derivation: Derivation, port: Port)] = []
  private var effects: [Effects] = []
  private var timers: [ObjectIdentifier: Timer] = [:]
  /// nil if the screen was dismissed.
  private var result: (any Sendable)?
  /// The inputs that receive the result of the screen, once it has ended.
  private(set) var receivers: [Port] = []

  /// The node whose screen is being created.
  private(set) static var current: ScreenNode?

  init(id: ScreenID, kind: String, core: Core) {
    self.id = id
    self.kind = kind
    self.core = core
    path = Array((id == .app ? "/app" : "/screens/\(id)").utf8)
  }

  private init(of parent: ScreenNode, in container: any ChildPort) {
    id = parent.id
    kind = parent.kind
    core = parent.core
    self.parent = parent
    self.container = container
  }

  var root: ScreenNode { parent?.root ?? self }

  /// True while the screen is open or being created. Objects that can outlive a screen check this.
  ///
  /// They hold its node strongly, because an object that has ever had a weak reference is slower to
  /// retain, and every input retains a node.
  var isOpen: Bool { (part != nil || isBeingCreated) && !isEnding }
  private var isBeingCreated = false

  /// The node whose screen is being created. `Effects()`, `Router()`, `Display()`, and the
  /// operators that need timers belong to it.
  static func beingCreated(
    for call: StaticString, _ fileID: StaticString, _ line: UInt
  ) -> ScreenNode {
    guard let current else {
      fatalError(
        "\(call) was called while no screen was being created. Call it in a stored property or `init` "
          + "of a screen or its helpers, while the app's factory or TestCore.show creates the screen.",
        file: fileID, line: line)
    }
    return current
  }

  /// Creates the screen and attaches its ports to this node. If that fails, what `init` has started
  /// ends.
  func mount(_ make: () throws -> any Part) rethrows {
    let outer = Self.current
    (Self.current, isBeingCreated) = (self, true)
    defer { (Self.current, isBeingCreated) = (outer, false) }
    do { attach(to: try make()) } catch {
      Self.current = outer
      end()
      throw error
    }
  }

  /// Creates a part, which ends with this node at the latest.
  /// - Parameter saved: The state that it had before the core restarted.
  /// - Returns: nil if this node has ended.
  func makePart<P: Part>(
    in container: any ChildPort, saved: JSON? = nil, _ make: () throws -> P
  ) rethrows -> (part: P, node: ScreenNode)? {
    guard isOpen else { return nil }
    let child = try Self.mounted(saved.map(SavedValues.init), make) {
      let child = ScreenNode(of: self, in: container)
      children.insert(child, for: ObjectIdentifier(child), at: children.count)
      return child
    }
    return (child.part as! P, child)
  }

  /// Creates a screen or part with what it had kept. Creates it twice if its keepers come in another
  /// order than before.
  static func mounted(
    _ saved: SavedValues?, _ make: () throws -> any Part, on newNode: () -> ScreenNode
  ) rethrows -> ScreenNode {
    let node = newNode()
    node.saved = saved
    try node.mount(make)
    guard let reordered = node.reorderedValues else { return node }
    node.end()
    let second = newNode()
    second.saved = reordered
    try second.mount(make)
    return second
  }

  private func attach<P: Part>(to part: P) {
    self.part = part
    if parent != nil { partID = P.id(of: part) }
    let inputs = part.input.named()
    let named = inputs + part.output.named()
    inputCount = inputs.count
    // Without room for more: a host has thousands of screens.
    ports = named.map(\.port)
    for (name, port) in named { port.attach(to: self, as: name) }
    // What observes the ports ends with them.
    let own = Set(ports.compactMap(\.ownRelay).map(ObjectIdentifier.init))
    subscriptions.removeAll { $0.isObservation(ofOneOf: own) }
    // These lists are complete now, and had room for more.
    subscriptions = subscriptions.map(\.self)
    derivations = derivations.map(\.self)
    keepers = keepers.map(\.self)
    namedKeepers = namedKeepers.map(\.self)
    for (derivation, _) in derivations { derivation.screenWasCreated() }
  }

  var inputs: some Sequence<any InputPort> {
    ports.prefix(inputCount).lazy.compactMap { $0.asInput }
  }

  var outputs: some Sequence<any OutputPort> {
    ports.dropFirst(inputCount).lazy.compactMap { $0.asOutput }
  }

  /// Returns the input with a name. Searches linearly, because hashing is slower for so few.
  package func input(named name: JSONView) -> (any InputPort)? {
    for index in 0..<inputCount where name.equals(ports[index].name) {
      return ports[index].asInput
    }
    return children.count == 0 ? nil : name.string.flatMap { inputOfPart(at: $0.utf8[...]) }
  }

  // MARK: Work

  func keep(_ subscription: Subscription) { subscriptions.append(subscription) }

  func keep(_ effects: Effects) { self.effects.append(effects) }

  func keep(_ derivation: Derivation, of port: Port) { derivations.append((derivation, port)) }

  var parts: [ScreenNode] { children.elements }

  /// This node and those of all parts.
  private var nodes: [ScreenNode] {
    children.count == 0 ? [self] : [self] + children.elements.flatMap(\.nodes)
  }

  #if DEBUG
    /// Reports the derived outputs, here and around this part, that read something else than ports.
    func checkDerivations() {
      for (derivation, _) in derivations { derivation.check() }
      parent?.checkDerivations()
    }
  #endif

  private var slots: [EffectSlot] { nodes.flatMap { $0.effects.flatMap(\.slots) } }

  var runningEffects: [Effect] { slots.compactMap(\.running) }

  var queuedEffects: [Effect] { slots.flatMap(\.queued) }

  var pendingTimers: [(timer: CoreTimer, work: PendingWork)] {
    nodes.flatMap(\.timers.values).map {
      let isBusy = $0.cause != nil && !core.clock.isVirtual
      return (
        $0.timer,
        PendingWork(screen: id, kind: .timer, name: $0.name, cause: $0.cause?.id, isBusy: isBusy)
      )
    }
  }

  private struct Timer {
    /// The operator that started it.
    let name: String
    let timer: CoreTimer
    let cause: Cause?
    let onCancel: (() -> Void)?
  }

  /// Runs `action` after `delay` on the core's clock, on behalf of the current cause.
  /// - Parameter onCancel: Called if the request that started it is canceled.
  func schedule(
    _ name: String, after delay: Duration, hasCause: Bool = true,
    onCancel: (() -> Void)? = nil, _ action: @escaping () -> Void
  ) -> Subscription {
    guard isOpen else { return Subscription() }
    let cause = hasCause ? core.cause : nil
    var key: ObjectIdentifier?
    let timer = core.clock.schedule(after: delay) { [unowned self] in
      if let key { timers[key] = nil }
      core.work.namesInTurn.append(name)
      #if DEBUG
        core.noteHandler(self)
      #endif
      core.during(cause, action)
      cause?.ended()
      // A request that waits for this timer is answered even if `action` changed nothing.
      core.scheduleTurnEnd()
    }
    key = ObjectIdentifier(timer)
    timers[ObjectIdentifier(timer)] = Timer(
      name: name, timer: timer, cause: cause, onCancel: onCancel)
    cause?.began()
    return Subscription { self.cancel(timer) }
  }

  private func cancel(_ timer: CoreTimer) {
    guard let timer = timers.removeValue(forKey: ObjectIdentifier(timer)) else { return }
    core.clock.cancel(timer.timer)
    timer.cause?.ended()
    core.scheduleTurnEnd()
  }

  /// Cancels what a request has started here but what has not begun yet: timers and queued work.
  func cancelPending(of cause: Cause) {
    for slot in slots { slot.cancelQueued { $0.cause === cause } }
    for node in nodes {
      for timer in node.timers.values where timer.cause === cause {
        node.cancel(timer.timer)
        timer.onCancel?()
      }
    }
  }

  // MARK: The end

  /// Closes the screen with a result, unless it is the root of a stack.
  func finish(_ value: some Codable & Sendable) {
    guard part != nil, !isEnding else { return }
    core.emit(value, named: "finished", of: self)
    guard core.navigation.canClose(id) else { return }
    result = value
    core.close(id)
  }

  /// Carries out the navigation that this screen has refused so far.
  /// - Returns: False if there is none.
  func resumeNavigation() -> Bool {
    guard let refused = refusedNavigation.take() else { return false }
    core.during(refused.cause) { refused.repeatNavigation() }
    return true
  }

  /// Sends the result to an input of another screen or part, once; at once if this screen has
  /// ended.
  func deliverResult(to input: any InputPort, of presenter: ScreenNode) {
    guard let route, !receivers.contains(where: { $0 === input }) else { return }
    guard part != nil else { return input.receive(result, of: route) }
    presenter.adopt(input)
    receivers.append(input)
    core.noteReceivers()
  }

  /// Names an input that is a property of the screen or part, and not on the wire.
  func adopt(_ input: any InputPort) {
    guard input.node == nil, let name = properties.first(where: { $0.value === input })?.name
    else { return }
    input.attach(to: self, as: name)
    ports.append(input)
  }

  /// The ports that are properties of the screen or part.
  var properties: some Sequence<(name: String, value: Port)> {
    (part.map { Array(Mirror(reflecting: $0).children) } ?? []).lazy.compactMap { label, value in
      if let label, let port = value as? Port { (label, port) } else { nil }
    }
  }

  /// Ends everything that belongs to the screen or part, and to the parts within it. A screen ends
  /// once the navigation no longer shows it.
  func end() {
    isEnding = true
    let nodes = self.nodes
    core.withdrawPrompts(of: nodes)
    // Disconnect the ports first, so that no observer sees what the ending work still sends.
    for node in nodes { node.disconnect() }
    for slot in slots { slot.cancelQueued { !$0.outlivesScreen } }
    core.cancelAll { runningEffects.filter { !$0.outlivesScreen } }
    if parent != nil { core.noteReceivers() }
    _ = parent?.children.remove(ObjectIdentifier(self))
    for node in nodes { node.clear() }
    let receivers = self.receivers
    self.receivers = []
    guard let route else { return }
    for receiver in receivers { receiver.asInput?.receive(result, of: route) }
  }

  /// Sends no result, as when the process is killed.
  func forgetReceivers() {
    isEnding = true
    receivers = []
  }

  private func disconnect() {
    for subscription in subscriptions { subscription.cancel() }
    for port in ports { port.detach() }
    for (derivation, _) in derivations { derivation.screenEnded() }
  }

  private func clear() {
    for timer in timers.values { cancel(timer.timer) }
    for effects in effects { effects.release() }
    subscriptions = []
    derivations = []
    effects = []
    ports = []
    inputCount = 0
    changedPorts = []
    keepers = []
    changedKeepers = []
    changedParts = []
    namedKeepers = []
    children = OrderStatisticTree()
    parent = nil
    container = nil
    part = nil
    refusedNavigation = nil
  }
}
