package import OffstageJSON

/// One running app: its screens, navigation, and prompts, and what has changed in them.
///
/// State changes in one place, `change(_:)`, and leaves in one place: at the end of a turn that
/// changed something, the core calls `onTurnEnd`, and the host publishes the changes as a frame.
@CoreActor
package final class Core {
  // `@exclusivity(unchecked)` marks properties on the path of every input; see `CoreActor`.
  /// The app, with the dependencies that its scope has set.
  package private(set) var app: App
  package let clock: CoreClock
  package internal(set) var navigation = Navigation() { didSet { noteMembers() } }
  var navigationCount = 0
  @exclusivity(unchecked) package private(set) var screens: [ScreenID: ScreenNode] = [:]
  /// The prompts that wait for an answer, the oldest first.
  package internal(set) var prompts: [WaitingPrompt] = [] { didSet { noteMembers() } }
  var lastPrompt = 0 { didSet { noteMembers() } }
  /// True if the front end has gone on showing the screens through a restart.
  var isStillShown = false
  /// The states of the prompts that were open before a restart, until they are asked again.
  var lostPrompts: [JSON] = []
  /// Screens to show next, one at a time.
  var enqueued: [(route: Route, style: PresentationStyle?)] = [] { didSet { noteMembers() } }
  /// The number of screens that may be open or queued.
  package var screenLimit = Core.mostScreens
  package nonisolated static let mostScreens = 8_192
  /// The kinds of prompts that the front end can answer, besides the built-in ones.
  package var supportedPrompts: Set<String> = []
  /// The language and time zone of the user. Every text that depends on it follows its changes.
  /// The language is the one that the user has chosen in the app, or else that of the front end.
  package var userLocale: UserLocale { locale.value }
  package var frontEndLocale = UserLocale() {
    didSet {
      noteMembers()
      updateLocale()
    }
  }
  package internal(set) var display = DisplaySettings() {
    didSet {
      guard display != oldValue else { return }
      change { $0.display = true }
      noteMembers()
      updateLocale()
    }
  }
  let locale = LocaleCell()
  var tabLabels: [String: TabLabel] = [:] { didSet { noteMembers() } }

  /// Called at the end of a turn that changed something or in which the core settled.
  @exclusivity(unchecked) package var onTurnEnd: () -> Void = {}
  package var onFault: (Fault) -> Void = { _ in }
  package var onLog: (LogRecord) -> Void = { _ in }

  @exclusivity(unchecked) private var changes = Changes()
  /// What has changed in the state; nil if it is not kept.
  @exclusivity(unchecked) var stateChanges: StateChanges?
  /// True from the first change of a turn, or the start of a request, to its end.
  @exclusivity(unchecked) private var isInTurn = false
  /// True once the changes name the cause of the current turn.
  private var hasCause = false
  /// True for a reproducible run, which reports changes outside of requests, effects, and timers.
  @exclusivity(unchecked) package var isDeterministic = false
  package let work = RunningWork()
  private let causes = Causes()
  private let derivations: StaleDerivations
  var lastScreen = 0
  var lastReceipt = 0
  /// The link that waits for the app's scope to allow it.
  var waitingLink: WaitingLink? { didSet { noteMembers() } }
  /// The newest screen to show another one in this turn.
  var presenter: ScreenID?
  /// True once the app has ended; see `end()`.
  private(set) var hasEnded = false
  #if DEBUG
    /// nil in a unit test, which keeps screens in variables.
    package var leaked: LeakedScreens?
    /// The screens and parts that have handled something in this turn.
    private var handlers: [ScreenNode] = []

    func noteHandler(_ node: ScreenNode) { if leaked != nil { handlers.append(node) } }
  #endif

  package init(app: App, clock: CoreClock) {
    self.app = app
    self.clock = clock
    derivations = StaleDerivations(causes)
    for link in app.links {
      guard let screen = link.screen else { continue }
      require(
        app.factory(of: screen) != nil,
        "the link \(link.pattern) leads to \"\(screen)\", which has no factory",
        file: link.location.fileID, line: link.location.line)
    }
  }

  private func updateLocale() {
    var new = frontEndLocale
    if let language = display.language { new.language = language }
    guard new != locale.value else { return }
    if new.language != locale.value.language { change { $0.language = true } }
    updateTabs { locale.value = new }
  }

  // MARK: Changes

  package var hasChanges: Bool { !changes.isEmpty }

  package var backlog: Int { changes.backlog }

  /// Drains the pending changes into `body`, which must not call the app's code.
  /// - Precondition: Derived outputs are up to date.
  package func publish(_ body: (inout Changes) -> Void) {
    assert(derivations.isEmpty, "derived outputs are out of date")
    body(&changes)
    changes.removeAll()
    hasCause = false
  }

  func changed(_ port: any DocumentPort) {
    checkOrigin("\(port.label) was changed")
    change { $0.ports.append(port) }
  }

  /// Reports a change that a plain `Task` has made.
  func checkOrigin(_ change: @autoclosure () -> String) {
    if isDeterministic, causes.isEffect, Effect.current == nil { reportRace(change()) }
  }

  @inline(never)
  private func reportRace(_ change: String) {
    report(
      Fault(
        "\(change) outside of any request, effect, or timer, so its timing differs from run to run. "
          + "Consume sequences with effects.observe, and start work with effects.run."))
  }

  /// Updates the cause of a change that is already noted.
  package func changedAgain() { change { _ in } }

  func changed(_ prompt: PromptID) {
    change { if !$0.prompts.contains(prompt) { $0.prompts.append(prompt) } }
  }

  func emit(_ value: some Encodable, named name: String, of node: ScreenNode) {
    var writer = JSONWriter()
    writer.value(value, of: "The event \"\(name)\" of screen \(node.id)")
    for failure in writer.failures { report(Fault(failure)) }
    checkOrigin("the event \"\(name)\" of screen \(node.id) was sent")
    let value = Array(writer.bytes)
    let record = EventRecord(screen: node.id, name: node.fullName(name), value: value)
    change { $0.append(record) }
  }

  func change(_ note: (inout Changes) -> Void) {
    note(&changes)
    // Take the cause of the first change that has one: a change without a cause must hide neither
    // an earlier nor a later cause.
    if !hasCause, let id = causes.currentID {
      hasCause = true
      changes.cause = id
    }
    scheduleTurnEnd()
  }

  package func report(_ fault: Fault) { onFault(fault) }

  // MARK: Turns

  /// Begins a turn in which a request is handled.
  /// - Parameter id: The id of the request; nil for a notification.
  package func beginTurn(of id: String?) {
    isInTurn = true
    causes.begin(id)
  }

  /// Ends the turn once the current line, timer, or job is done.
  package func scheduleTurnEnd() {
    guard !isInTurn else { return }
    isInTurn = true
    CoreActor.executor.scheduleTurnEnd(of: self)
  }

  package func endTurn() {
    updateDerivations()
    // A screen that a request lets open is a turn of its own, after the response.
    let opensLink = waitingLink != nil
    if opensLink, causes.isEffect {
      openWaitingLink()
      updateDerivations()
    }
    isInTurn = false
    if opensLink, !causes.isEffect { scheduleTurnEnd() }
    presenter = nil
    causes.endTurn()
    hasCause = false
    work.endTurn()
    onTurnEnd()
    #if DEBUG
      for node in handlers { node.checkDerivations() }
      handlers = []
      for fault in leaked?.faults(isAtRest: work.isAtRest) ?? [] { report(fault) }
    #endif
  }

  func becameStale(_ derivation: Derivation) {
    derivations.add(derivation)
    scheduleTurnEnd()
  }

  package func updateDerivations() { derivations.update() }

  // MARK: Causes

  package var hasRunningCauses: Bool { !causes.running.isEmpty }

  /// Returns the request with an id, as JSON text, if work that it started is still running.
  package func runningCause(id: String) -> Cause? { causes.running[ByteString(id)] }

  /// Frees the ids of the requests whose work is still running. Frames that it makes have no cause.
  package func forgetCauses() { causes.forgetAll() }

  package var cause: Cause? { causes.current }

  package func during(_ cause: Cause?, _ action: () throws -> Void) rethrows {
    try causes.during(cause, action)
  }

  // MARK: Work in progress

  /// True if nothing will happen until the user, the device, or the clock acts.
  ///
  /// An observation that waits for its sequence counts as settled, unless a queued job may produce
  /// the next element. If that job changes nothing, it ends no turn: check again once the loop has
  /// no job, in `Served.handleNext`.
  package var isSettled: Bool { work.isSettled }

  package var liveEffectCount: Int { work.effects.count }

  /// The names of the timers and effects that ran in this turn, or else of the running effects.
  package var namesInTurn: [String] {
    let running = work.effects.lazy.filter(\.isBusy).map(\.name)
    let names = work.namesInTurn.isEmpty ? Array(running) : work.namesInTurn
    return names.map { "\"\($0)\"" }
  }

  package var queuedEffects: Int { work.queuedCount }

  package func becameBusy() { work.busyCount += 1 }

  package func becameIdle() {
    work.busyCount -= 1
    scheduleTurnEnd()
  }

  func unwound(_ effect: Effect) {
    work.unwound(effect)
    scheduleTurnEnd()
  }

  /// Cancels effects in the order of creation, one by one: the end of each may start a queued one.
  func cancelAll(_ effects: () -> [Effect]) {
    while let effect = effects().min(by: { $0.number < $1.number }) { effect.cancel() }
  }

  // MARK: Screens

  /// Starts the app's scope, unless it is running.
  /// - Parameter saved: What it had kept.
  /// - Throws: What its factory throws.
  package func startScope(from saved: JSON? = nil) throws {
    guard let factory = app.scope, screens[.app] == nil else { return }
    var dependencies = app.dependencies
    let node = try ScreenNode.mounted(saved.map(SavedValues.init)) {
      dependencies = app.dependencies
      return try factory.make([:], &dependencies)
    } on: {
      ScreenNode(id: .app, kind: "app", core: self)
    }
    app.dependencies = dependencies
    screens[.app] = node
    noteWhole(node)
  }

  package var scope: ScreenNode? { screens[.app] }

  /// The open screens, the oldest first, without the app's scope.
  package var openScreens: [ScreenNode] {
    screens.values.filter { $0.id != .app }.sorted { $0.id.number < $1.id.number }
  }

  package func screen(_ id: ScreenID) -> ScreenNode? { screens[id] }

  /// Throws an error if no more screens may be open or queued.
  func checkRoom() throws(NavigationError) {
    let count = screens.count - (scope == nil ? 0 : 1) + enqueued.count
    guard count < screenLimit else { throw .tooManyScreens(screenLimit) }
  }

  /// Creates the screen of a route. The document contains it once the navigation shows it. Every
  /// screen of an app is created here.
  /// - Throws: `NavigationError`, or what the app's factory throws.
  /// - Parameters:
  ///   - id: The id that the screen had before the core restarted; nil for a new screen.
  ///   - saved: What it had kept.
  package func make(
    _ route: Route, as id: ScreenID? = nil, from saved: JSON? = nil
  ) throws -> ScreenNode {
    try checkRoom()
    guard let factory = app.factory(of: route.kind) else {
      throw NavigationError.unknownKind(route.kind)
    }
    do {
      let node = try mount(route.kind, as: id, from: saved) {
        var dependencies = app.dependencies
        return try factory.make(route.argument, &dependencies)
      }
      node.route = route
      return node
    } catch let mismatch as JSONMismatch {
      throw NavigationError.wrongArgument(route.kind, mismatch)
    }
  }

  /// Adds the screen that `make` creates to the core. A test may add a part as if it were a screen.
  package func mount(
    _ kind: String, as id: ScreenID? = nil, from saved: JSON? = nil,
    _ make: () throws -> any Part
  ) rethrows -> ScreenNode {
    if id == nil { lastScreen += 1 }
    let id = id ?? ScreenID(lastScreen)
    let node: ScreenNode
    do {
      node = try ScreenNode.mounted(saved.map(SavedValues.init), make) {
        ScreenNode(id: id, kind: kind, core: self)
      }
    } catch {
      // Reuse the number of a new screen, unless `init` created other screens.
      if saved == nil, lastScreen == id.number { lastScreen -= 1 }
      throw error
    }
    screens[node.id] = node
    noteWhole(node)
    noteMembers()
    change { $0.opened.append(node) }
    return node
  }

  /// Ends the screens, and then the app's scope. What their work waits for on the clock is due now,
  /// such as a save that a debounce has put off; see ``Effects/sleep(for:)``.
  package func end() {
    hasEnded = true
    during(nil) {
      closeAll()
      waitingLink = nil
      screens.removeValue(forKey: .app)?.end()
      clock.fireAll()
    }
  }

  /// Ends everything at once, without the last work of the app, as if its process had been killed.
  package func abandon() {
    (onTurnEnd, onFault, onLog) = ({}, { _ in }, { _ in })
    let nodes = screens.values
    for node in nodes { node.forgetReceivers() }
    screens = [:]
    hasEnded = true
    for node in nodes { node.end() }
    cancelAll { work.effects }
  }

  /// True while work that outlives its screen still runs after `end()`.
  package var hasLastWork: Bool { !work.effects.isEmpty }

  /// Ends screens that the navigation no longer shows.
  /// - Parameter ids: The topmost screen first.
  func end(_ ids: [ScreenID]) {
    let nodes = ids.compactMap { screens.removeValue(forKey: $0) }
    for node in nodes {
      noteClosed(node)
      if node.isPublished {
        change { $0.closed.append(node.id) }
      } else {
        change { $0.opened.removeAll { $0 === node } }
      }
    }
    // Mark all of them first: the end of one notifies others, which must not act on it.
    for node in nodes { node.isEnding = true }
    #if DEBUG
      for node in nodes { leaked?.ended(node) }
    #endif
    for node in nodes { node.end() }
  }
}
