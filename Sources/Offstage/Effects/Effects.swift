/// The work of a screen: named, so that starting it twice has a defined meaning, and canceled when
/// the screen closes.
///
/// ```swift
/// final class Search: Screen {
///   let effects = Effects()
///
///   init(repository: any BookRepository) {
///     output.isSearching.bind(effects.activity("search"))
///     input.queryText.observe { [self] query in
///       effects.run("search", .latest) { [self] in
///         output.books.reset(to: try await repository.books(matching: query))
///       } catch: { [self] error in
///         output.failed.send("\(error)")
///       }
///     }
///   }
/// }
/// ```
@CoreActor
public final class Effects {
  /// The meaning of starting work while work of the same name runs.
  public enum Policy: Sendable {
    /// Ignores the new start: a fetch that is already running.
    case keepFirst
    /// Cancels the running work and starts the new one: a search for what was typed last.
    case latest
    /// Starts the new work once the earlier work has ended: messages to be sent in order.
    case queue
  }

  let node: ScreenNode
  private(set) var running: [String: Effect] = [:]
  private var waiting: [String: [Effect]] = [:]
  private var activities: [String: Relay<Bool>] = [:]
  /// The names of loaders and pagers.
  private var reserved: Set<String> = []
  /// Changes that are shown before they are saved, by the name of the work that saves them.
  var unsaved: [String: any UnsavedChange] = [:]

  /// Creates the effects of the screen that is being created: call it in a stored property or in
  /// `init`. Helpers of a screen may have effects of their own, which end with that screen too.
  ///
  /// Anywhere else, the program stops with a message that names the caller's file and line.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    node = ScreenNode.beingCreated(for: "Effects()", fileID, line)
    node.keep(self)
  }

  /// Starts work.
  ///
  /// The name is free again however the work ends. Canceled work ends silently. An error that is not
  /// caught reaches the front end as an `error` notification.
  ///
  /// While any part of the work waits for a prompt or the clock, the whole of it counts as settled.
  /// Run the part that should be waited for under a name of its own.
  /// - Parameters:
  ///   - name: Identifies the work; the policy applies to work of the same name.
  ///   - policy: What to do if work of this name runs.
  ///   - operation: The work. It runs on the core, and the screen may be captured strongly.
  ///   - handle: Called on the core with the error that `operation` threw, unless it was canceled.
  public func run(
    _ name: String, _ policy: Policy = .latest,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard node.isOpen else { return }
    let effect = Effect(name, of: self, operation, catch: handle)
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
      node.core.queuedEffects += 1
    }
  }

  /// True while work of this name runs.
  public func isRunning(_ name: String) -> Bool { running[name] != nil }

  /// True while work of this name runs, now and from now on: bind a spinner to it. It is correct
  /// however the work ends, and it does not flicker when newer work replaces older work.
  public func activity(_ name: String) -> Signal<Bool> {
    let relay = activities[name] ?? Relay()
    activities[name] = relay
    return Signal { receive in
      receive(self.isRunning(name))
      return relay.add(receive)
    }
  }

  /// Cancels the work of this name, running and queued.
  public func cancel(_ name: String) {
    for effect in waiting.removeValue(forKey: name) ?? [] { dequeued(effect) }
    running.removeValue(forKey: name)?.cancel()
    finished(name)
  }

  /// Removes the queued work of a request.
  func cancelWaiting(of cause: Cause) {
    for (name, queue) in waiting {
      let kept = queue.filter { $0.cause !== cause }
      for effect in queue where effect.cause === cause { dequeued(effect) }
      waiting[name] = kept.isEmpty ? nil : kept
    }
  }

  /// Suspends the current work on the core's clock.
  /// - Throws: `CancellationError` once the work is canceled.
  public func sleep(for duration: Duration) async throws {
    guard node.isOpen else { throw CancellationError() }
    try await node.core.sleep(for: duration)
  }

  /// Reserves a name for one loader or pager: a second one would wait for the loads of the first.
  func reserve(_ name: String, _ fileID: StaticString, _ line: UInt) {
    require(
      reserved.insert(name).inserted,
      "the name \"\(name)\" is taken by another loader or pager of this screen; pass `name:`",
      file: fileID, line: line)
  }

  private func start(_ effect: Effect) {
    running[effect.name] = effect
    effect.start()
    activities[effect.name]?.send(true)
  }

  func ended(_ effect: Effect) {
    guard running[effect.name] === effect else { return }
    running[effect.name] = nil
    guard var queue = waiting[effect.name], !queue.isEmpty else { return finished(effect.name) }
    let next = queue.removeFirst()
    waiting[effect.name] = queue.isEmpty ? nil : queue
    dequeued(next)
    start(next)
  }

  private func dequeued(_ effect: Effect) {
    effect.cause?.ended()
    node.core.queuedEffects -= 1
  }

  /// Called when the last work of a name has ended.
  private func finished(_ name: String) {
    // Roll back before notifying: an observer may restart the work.
    unsaved.removeValue(forKey: name)?.rollBack()
    activities[name]?.send(isRunning(name))
  }
}
