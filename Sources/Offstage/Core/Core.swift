internal import OffstageJSON

/// One running app: its screens, its navigation, its prompts, and what has changed of them.
///
/// State changes in one place, here, and leaves in one place: whoever hosts the core is told at the
/// end of a turn that there is something to publish, and takes the changes.
@CoreActor
package final class Core {
  package let app: App
  package let clock: CoreClock
  package internal(set) var navigation = Navigation()
  @exclusivity(unchecked) package private(set) var screens: [ScreenID: ScreenNode] = [:]
  package internal(set) var prompts = PromptBoard()
  /// Screens that are to be shown next, one by one.
  var queue: [(route: Route, segue: Segue)] = []
  /// The prompt kinds that the front end can answer, beside those of the app itself.
  package var capabilities: Set<String> = []

  /// Called at the end of a turn in which something changed or came to rest.
  @exclusivity(unchecked) package var onTurnEnd: () -> Void = {}
  /// Called with what went wrong where no request can be answered.
  package var onFault: (Fault) -> Void = { _ in }

  @exclusivity(unchecked) private var changes = Changes()
  /// The request that is being handled; work that runs later knows its own.
  @exclusivity(unchecked) private var handling: Cause?
  /// The cause of the request before, kept to be used again.
  @exclusivity(unchecked) private var spareCause: Cause?
  private var lastScreen = 0
  private var lastEffect = 0
  private var liveEffects: [ObjectIdentifier: Effect] = [:]
  /// Effects that run and do not wait for anything outside.
  private var busy = 0
  @exclusivity(unchecked) private var willEndTurn = false
  /// Whether the changes name the request behind the present turn.
  @exclusivity(unchecked) private var hasCause = false
  package init(app: App, clock: CoreClock) {
    self.app = app
    self.clock = clock
  }

  // MARK: Changes

  package var hasChanges: Bool { !changes.isEmpty }

  /// Has `say` publish what has changed, and forgets it.
  package func publish(_ say: (inout Changes) -> Void) {
    say(&changes)
    changes.removeAll()
    hasCause = false
  }

  func changed(_ output: any OutputPort) { change { $0.outputs.append(output) } }

  /// What the next frame will say has changed once more: its cause is the newest.
  func changedAgain() { change { _ in } }

  func changed(_ prompt: PromptID) {
    change { if !$0.prompts.contains(prompt) { $0.prompts.append(prompt) } }
  }

  func emit(_ value: some Encodable, named name: String, of node: ScreenNode) {
    var writer = JSONWriter()
    writer.value(value, of: "The event \"\(name)\" of screen \(node.id)")
    for failure in writer.failures { report(Fault(failure)) }
    let value = Array(writer.bytes)
    change { $0.events.append(EventRecord(screen: node.id, name: name, value: value)) }
  }

  func change(_ note: (inout Changes) -> Void) {
    note(&changes)
    if !hasCause {
      hasCause = true
      // What no request is behind leaves the newest one as it was.
      if let id = cause?.id { changes.cause = id }
    }
    endTurnLater()
  }

  package func report(_ fault: Fault) { onFault(fault) }

  /// Begins the turn of a request, which the caller ends itself.
  /// - Parameter id: of the request; nil for a notification.
  package func beginTurn(of id: String?) {
    willEndTurn = true
    swap(&handling, &spareCause)
    handling.become(id: id)
  }

  /// Ends the turn; called by who began it, or else by the executor.
  package func endTurn() {
    willEndTurn = false
    if handling != nil { swap(&handling, &spareCause) }
    hasCause = false
    onTurnEnd()
  }

  /// Has the host look again at the end of this turn.
  package func endTurnLater() {
    guard !willEndTurn else { return }
    willEndTurn = true
    CoreActor.executor.atEndOfTurn(self)
  }

  // MARK: Causes

  /// The request behind what happens right now.
  package var cause: Cause? { handling ?? Effect.current?.cause }

  /// Does something in the name of a request.
  package func during(_ cause: Cause?, _ action: () throws -> Void) rethrows {
    let outer = handling
    handling = cause
    defer { handling = outer }
    try action()
  }

  /// Cancels all work that a request started: what waits, timers and what runs.
  package func cancelWork(of cause: Cause) {
    for screen in screens.values.sorted(by: { $0.id.number < $1.id.number }) {
      screen.cancelPending(of: cause)
    }
    // One by one: cancelled work hands its turn to what is queued behind it.
    while let effect = liveEffects.values.filter({ $0.cause === cause })
      .min(by: { $0.number < $1.number })
    {
      effect.cancel()
    }
  }

  // MARK: Work in progress

  /// Whether nothing more will happen until a person, a device or the clock acts.
  package var isSettled: Bool { busy == 0 }

  package var liveEffectCount: Int { liveEffects.count }

  func nextEffectNumber() -> Int {
    lastEffect += 1
    return lastEffect
  }

  func began(_ effect: Effect) {
    liveEffects[ObjectIdentifier(effect)] = effect
    busy += 1
  }

  func ended(_ effect: Effect, wasParked: Bool) {
    liveEffects[ObjectIdentifier(effect)] = nil
    if !wasParked { busy -= 1 }
    endTurnLater()
  }

  func parked() {
    busy -= 1
    endTurnLater()
  }

  func unparked() { busy += 1 }

  func sleep(for duration: Duration) async throws {
    try await Parking<Void>.wait { parking in
      let timer = clock.schedule(after: duration) { parking.end(with: .success(())) }
      return { [clock] in clock.cancel(timer) }
    }
  }

  // MARK: Screens

  /// The screen of an id, as long as it is open.
  package func screen(_ id: ScreenID) -> ScreenNode? { screens[id] }

  /// Makes the screen of a route. It is in the document once the navigation shows it.
  /// - Throws: `RouteError`, or what the app's factory throws.
  package func make(_ route: Route) throws -> ScreenNode {
    guard let factory = app.factories[route.kind] else { throw RouteError.unknownKind(route.kind) }
    do {
      return try mount(route.kind) { try factory.make(route.argument, app.dependencies) }
    } catch let mismatch as JSONMismatch {
      throw RouteError.wrongArgument(route.kind, mismatch)
    }
  }

  /// Gives a screen that `make` makes its place in the core.
  package func mount(_ kind: String, _ make: () throws -> any Screen) rethrows -> ScreenNode {
    lastScreen += 1
    let node = ScreenNode(id: ScreenID(lastScreen), kind: kind, core: self)
    do { try node.mount(make) } catch {
      // What its init started must not outlive it; the number is free unless it made screens itself.
      node.end()
      if lastScreen == node.id.number { lastScreen -= 1 }
      throw error
    }
    screens[node.id] = node
    change { $0.opened.append(node) }
    return node
  }

  /// Ends screens that the navigation no longer shows.
  /// - Parameter ids: the one on top first.
  func end(_ ids: [ScreenID]) {
    let nodes = ids.compactMap { screens.removeValue(forKey: $0) }
    for node in nodes {
      withdrawPrompts(of: node.id)
      if node.isPublished {
        change { $0.closed.append(node.id) }
      } else {
        change { $0.opened.removeAll { $0 === node } }
      }
    }
    // Ending one tells others, and those that end as well must not act on it.
    for node in nodes { node.isEnding = true }
    for node in nodes { node.end() }
  }
}
