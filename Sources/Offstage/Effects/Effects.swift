/// The work that a screen starts: named, so that it can be told what a second start means, and
/// ended with its screen.
@CoreActor
public final class Effects {
  /// What starting a name means whose work still runs.
  public enum Policy: Sendable {
    /// The new start is dropped: a fetch while one runs.
    case keepFirst
    /// The running work is cancelled and the new one starts: a search as one types.
    case latest
    /// The new work waits for its turn: messages to send.
    case queue
  }

  let node: ScreenNode
  private var running: [String: Effect] = [:]
  private var waiting: [String: [Effect]] = [:]
  private var activities: [String: Relay<Bool>] = [:]
  /// The names of loaders and pagers.
  private var reserved: Set<String> = []
  /// What is shown before it is saved, by the name of the work that saves it; see `optimistic`.
  var unsaved: [String: any Unsaved] = [:]

  /// The effects of the screen that is being made.
  public init() {
    node = ScreenNode.making("Effects()")
    node.keep(self)
  }

  /// Starts work.
  ///
  /// The guard that a policy needs is released however the work ends. Cancelled work ends silently;
  /// an error that is not caught reaches the front end as an `error` notification.
  ///
  /// While any part of it waits for a prompt or the clock, all of it counts as settled: work that
  /// should be waited for beside such a wait is best run under a name of its own.
  /// - Parameters:
  ///   - name: which work this is; the policy is about work of the same name.
  ///   - catch: called on the core with what `operation` threw, unless it was cancelled.
  public func run(
    _ name: String, _ policy: Policy = .latest,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard node.isOpen else { return }
    let effect = Effect(name, of: node, operation, catch: handle) { [weak self] in
      self?.ended($0)
    }
    switch (policy, running[name]) {
    case (_, nil): start(effect)
    case (.keepFirst, _): break
    case (.latest, let old?):
      running[name] = nil
      old.cancel()
      start(effect)
    case (.queue, _):
      effect.cause?.began()
      waiting[name, default: []].append(effect)
    }
  }

  /// Whether work of this name runs.
  public func isRunning(_ name: String) -> Bool { running[name] != nil }

  /// Whether work of this name runs, now and from now on: what a spinner is bound to. It is right
  /// however the work ends, and it does not flicker when newer work takes the place of older.
  public func activity(_ name: String) -> Signal<Bool> {
    let relay = activities[name] ?? Relay()
    activities[name] = relay
    return Signal { receive in
      receive(self.isRunning(name))
      return relay.add(receive)
    }
  }

  /// Cancels the work of this name, waiting or running.
  public func cancel(_ name: String) {
    for effect in waiting.removeValue(forKey: name) ?? [] { effect.cause?.ended() }
    running.removeValue(forKey: name)?.cancel()
    rested(name)
  }

  /// Forgets the work of a request that waits for its turn.
  func cancelWaiting(of cause: Cause) {
    for (name, queue) in waiting {
      let kept = queue.filter { $0.cause !== cause }
      for _ in kept.count..<queue.count { cause.ended() }
      waiting[name] = kept.isEmpty ? nil : kept
    }
  }

  /// Waits on the core's clock.
  /// - Throws: `CancellationError` once the work is cancelled.
  public func sleep(for duration: Duration) async throws {
    guard node.isOpen else { throw CancellationError() }
    try await node.core.sleep(for: duration)
  }

  /// Gives a name to one loader or pager alone: the second would wait for the loads of the first.
  func reserve(_ name: String, _ fileID: StaticString, _ line: UInt) {
    guard reserved.insert(name).inserted else {
      fatalError(
        "the name \"\(name)\" is taken by another loader or pager of this screen; pass `name:`",
        file: fileID, line: line)
    }
  }

  private func start(_ effect: Effect) {
    running[effect.name] = effect
    effect.start()
    activities[effect.name]?.send(true)
  }

  private func ended(_ effect: Effect) {
    guard running[effect.name] === effect else { return }
    running[effect.name] = nil
    guard var queue = waiting[effect.name], !queue.isEmpty else { return rested(effect.name) }
    let next = queue.removeFirst()
    waiting[effect.name] = queue.isEmpty ? nil : queue
    next.cause?.ended()
    start(next)
  }

  /// The last work of this name has ended.
  private func rested(_ name: String) {
    // First: who hears that it rests may begin anew, and that is a change of its own.
    unsaved.removeValue(forKey: name)?.takeBack()
    activities[name]?.send(isRunning(name))
  }
}
