/// Loads one thing for a screen: guards against a second request, reports failures, and loads again.
///
/// Use a ``Pager`` for a list that is loaded page by page. One load runs at a time, and a load that
/// is canceled ends silently, even if its value arrives later.
/// ```swift
/// let book = Loader(effects) { try await repository.book(id: id) }
///
/// output.isLoading.bind(book.isLoading)
/// output.book.bind(book.values.map { $0 })
/// output.failure.bind(book.failure.map { $0.map(Failure.init) })
/// input.didAppear.merge(input.retry).observe { (_: Trigger) in book.load() }
/// input.refresh.observe { book.reload() }
/// ```
@CoreActor
public final class Loader<Value: Sendable> {
  /// Sends every value that was loaded. Nothing is replayed: observe it before the first load.
  public let values = Relay<Value>()
  /// Sends the error of every load that failed.
  public let failures = Relay<any Error>()

  private let effects: Effects
  private let name: String
  /// nil once the screen has closed, because the closure often captures the screen.
  private var operation: (@CoreActor () async throws -> Value)?
  /// True once the newest load has succeeded.
  private var isLoaded = false

  /// - Parameters:
  ///   - effects: The effects of the screen that is being created.
  ///   - name: The name of the load among these effects. Two loaders or pagers of one screen need
  ///     different names.
  ///   - fileID: The caller's file, for the error of a name that is taken.
  ///   - line: The caller's line.
  ///   - operation: Asks a repository for the value.
  public init(
    _ effects: Effects, name: String = "load", fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @CoreActor () async throws -> Value
  ) {
    effects.reserve(name, fileID, line)
    self.effects = effects
    self.name = name
    self.operation = operation
    effects.node.keep(Subscription { self.operation = nil })
  }

  /// True while a load runs: bind a spinner to it.
  public var isLoading: Signal<Bool> { effects.activity(name) }

  /// The error of the newest load; nil before the first failure and after every success.
  public var failure: Signal<(any Error)?> {
    Signal { receive in
      receive(nil)
      return self.failures.map { $0 }.merge(self.values.map { _ in nil }).subscribe(receive)
    }
  }

  /// Loads the value, unless it is loaded or loading. After a failure it tries again, so an
  /// input `retry` can call it as well.
  public func load() {
    if !isLoaded { run(.keepFirst) }
  }

  /// Loads the value again, and cancels a load that is running.
  public func reload() {
    isLoaded = false
    run(.latest)
  }

  private func run(_ policy: Effects.Policy) {
    effects.run(name, policy) { [self] in
      guard let operation else { return }
      let value = try await operation()
      // A repository may return a value even if the load was canceled meanwhile.
      try Task.checkCancellation()
      isLoaded = true
      values.send(value)
    } catch: { [self] error in
      failures.send(error)
    }
  }
}
