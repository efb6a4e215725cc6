internal import OffstageJSON
internal import OffstageSystem

/// Work of a screen that can be started many times; see ``Effects/task(_:name:fileID:line:)``.
@CoreActor
public struct EffectHandle {
  let effects: Effects
  let slot: EffectSlot
  let policy: Effects.Policy

  /// Starts the work, as ``Effects/run(outlivesScreen:fileID:line:_:catch:)`` does. If it is
  /// already running, the policy decides; see ``Effects/Policy``.
  public func run(
    outlivesScreen: Bool = false, _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard effects.node.isOpen || outlivesScreen else { return }
    slot.run(policy) {
      Effect(in: slot, of: effects, operation, catch: handle, outlivesScreen: outlivesScreen)
    }
  }

  /// True while the work runs. A derived output may read it.
  public var isRunning: Bool {
    Derivation.current == nil ? slot.isRunning : slot.activity.value
  }

  /// Sends true while the work runs, now and after every change: bind a spinner to it. It turns
  /// false however the work ends, and does not flicker when newer work replaces older work.
  public var activity: Signal<Bool> { Signal { [slot] in slot.activity.signal.subscribe($0) } }

  /// Calls `action` after a restart of the core that has cut the work, once the screen has been created
  /// again. It begins the work again, or says that it was cut:
  /// ```swift
  /// upload.onRestart("upload") { [self] in upload(file.value) }
  /// reply.onRestart("reply") { [output] in output.wasCut.value = true }
  /// ```
  /// What it needs to know is ``Kept``, such as the name of the file. A prompt is asked again if its
  /// work begins again; only then can a host free the memory of its session meanwhile. `name` finds the
  /// work in the next process, and in a new build.
  /// - Precondition: Called in the `init` of the screen or part, or of a helper.
  public func onRestart(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping @CoreActor () -> Void
  ) {
    require(
      !effects.node.hasPart,
      "`onRestart` is too late once the screen has been created: call it in `init`",
      file: fileID, line: line)
    slot.goesOn(as: name, with: action, in: effects.node)
  }

  /// Cancels the work, running and queued.
  public func cancel() { slot.cancel() }

  /// The work on one of many items. The policy applies to each item separately.
  /// ```swift
  /// private lazy var deletion = effects.task(.keepFirst)
  ///
  /// deletion[row.id].run { try await repository.delete(row.id) }
  /// ```
  public subscript(id: some CustomStringConvertible) -> EffectHandle {
    effects.handle("\(slot.name) \(id)", policy)
  }
}

/// The work of one name: the effect that runs, those queued behind it, and what observes it.
@CoreActor
final class EffectSlot {
  let name: String
  /// True for a declared task, whose name stays taken.
  var isDeclared = false
  private(set) var running: Effect? { didSet { noteKept() } }
  private var waiting = Queue<Effect>()
  /// A change that is shown before this work has saved it.
  var unsaved: (change: AnyObject, rollBack: () -> Void)?
  /// True while work runs; nil until something asks for it.
  private var knownActivity: Out<Bool>?
  /// nil if the work does not go on after a restart of the core.
  private var restart: Restart?

  init(_ name: String) { self.name = name }

  /// Work that a restart has interrupted counts as running until it goes on: what the screen starts
  /// while it is created must not take its place.
  var isRunning: Bool { running != nil || isInterrupted }

  private var isInterrupted: Bool { restart?.isInterrupted == true }

  var goesOn: Bool { restart != nil }

  /// Starts the effect that `make` creates. If another one runs, the policy decides.
  func run(_ policy: Effects.Policy, _ make: () -> Effect) {
    guard let running else {
      if isInterrupted, policy == .keepFirst { return }
      return start(make())
    }
    switch policy {
    case .keepFirst: break
    case .latest:
      let effect = make()
      self.running = nil
      running.cancel()
      start(effect)
    case .queue:
      let effect = make()
      effect.enqueued()
      waiting.append(effect)
    }
  }

  func start(_ effect: Effect) {
    running = effect
    effect.start()
    knownActivity?.value = true
  }

  /// Starts the effect that is queued behind one that has ended.
  func ended(_ effect: Effect) {
    guard running === effect else { return }
    running = nil
    guard let next = waiting.popFirst() else { return finished() }
    next.dequeued()
    start(next)
  }

  func cancel() {
    cancelQueued { _ in true }
    running.take()?.cancel()
    finished()
  }

  func cancelQueued(where isIncluded: (Effect) -> Bool) {
    let queued = waiting.elements
    waiting = Queue(queued.filter { !isIncluded($0) })
    for effect in queued where isIncluded(effect) { effect.dequeued() }
  }

  /// The effects that wait for the running one to end.
  var queued: some Collection<Effect> { waiting.elements }

  /// Called when the last effect has ended.
  private func finished() {
    // Roll back before notifying: an observer may restart the work.
    unsaved.take()?.rollBack()
    knownActivity?.value = isRunning
  }

  // MARK: Activity

  var activity: Out<Bool> {
    if let knownActivity { return knownActivity }
    let activity = Out(isRunning)
    knownActivity = activity
    return activity
  }

  var isObserved: Bool { knownActivity?.isUsed == true }

  /// Releases the observers, which often capture the screen.
  func release() { (knownActivity, restart) = (nil, nil) }
}

extension EffectSlot: NamedKeeper {
  /// How the work goes on. Apart, since little work does.
  private final class Restart {
    let action: @CoreActor () -> Void
    /// The screen that keeps whether the work runs.
    weak var node: ScreenNode?
    /// True until the interrupted work goes on.
    var isInterrupted: Bool

    init(_ action: @escaping @CoreActor () -> Void, in node: ScreenNode, isInterrupted: Bool) {
      (self.action, self.node, self.isInterrupted) = (action, node, isInterrupted)
    }
  }

  func goesOn(
    as name: String, with restart: @escaping @CoreActor () -> Void, in node: ScreenNode
  ) {
    let isInterrupted = node.saved(for: self, named: name) != nil
    self.restart = Restart(restart, in: node, isInterrupted: isInterrupted)
    noteKept()
    knownActivity?.value = isRunning
  }

  private func noteKept() { restart?.node?.noteKept() }

  var keptState: JSON? { isRunning ? true : nil }

  func goOn() {
    restart?.isInterrupted = false
    noteKept()
    restart?.action()
    knownActivity?.value = isRunning
  }
}
