/// Work of a screen that can be started many times; see ``Effects/task(_:name:fileID:line:)``.
@CoreActor
public struct EffectHandle {
  let effects: Effects
  let name: String
  let policy: Effects.Policy

  /// Starts the work, as ``Effects/run(outlivesScreen:fileID:line:_:catch:)`` does. If it runs already, the
  /// policy decides; see ``Effects/Policy``.
  public func run(
    outlivesScreen: Bool = false, _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    effects.run(name, policy, outlivesScreen: outlivesScreen, operation, catch: handle)
  }

  /// True while the work runs. A derived output may read it.
  public var isRunning: Bool { effects.isRunning(name) }

  /// True while the work runs, now and from now on: bind a spinner to it. It is correct however the
  /// work ends, and it does not flicker when newer work replaces older work.
  public var activity: Signal<Bool> { effects.activity(name) }

  /// Cancels the work, running and queued.
  public func cancel() { effects.cancel(name) }

  /// The work on one of many things. The policy applies to each of them on its own.
  /// ```swift
  /// private lazy var deletion = effects.task(.keepFirst)
  ///
  /// deletion[row.id].run { try await repository.delete(row.id) }
  /// ```
  public subscript(id: some CustomStringConvertible) -> EffectHandle {
    EffectHandle(effects: effects, name: "\(name) \(id)", policy: policy)
  }
}
