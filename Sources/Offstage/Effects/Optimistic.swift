extension EffectHandle {
  /// Shows a change, such as a like, before it is saved, and rolls it back if saving fails.
  ///
  /// One save runs at a time, whatever the policy, so that none overtakes another. Changes that
  /// arrive during a save are shown at once, and the newest of them is saved next. When the last
  /// save ends, however it ends, the screen shows the value that was saved last. A save that fails
  /// or is canceled counts as not done.
  /// ```swift
  /// private lazy var like = effects.task()
  ///
  /// like.optimistic(from: post.isLiked, to: !post.isLiked) { [self] in
  ///   output.isLiked.value = $0
  /// } save: {
  ///   try await repository.setLiked($0)
  /// } catch: { [self] in
  ///   output.failed.send("\($0)")
  /// }
  /// ```
  /// `show` is called with `new` at once, and with the saved value on rollback. `old` is the value
  /// that the screen believes is saved. While an earlier change is unsaved, `old` is ignored, and
  /// the `show` of the first change is called. `handle` is called after the rollback with the error
  /// that `save` threw, unless a newer value waits to be saved.
  ///
  /// Has no effect once the screen has closed. With `outlivesScreen`, the value is saved even if
  /// the screen closes first. The program stops, with the caller's file and line, if one task is
  /// used for changes of different types.
  public func optimistic<Value: Equatable & Sendable>(
    from old: Value, to new: Value, outlivesScreen: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    show: @escaping (Value) -> Void,
    save: @escaping @CoreActor (Value) async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard effects.node.isOpen else { return }
    let unsaved = slot.unsaved?.change
    let change = unsaved as? OptimisticChange<Value> ?? OptimisticChange(old, show: show)
    require(
      unsaved == nil || unsaved === change,
      "the changes of \"\(slot.name)\" have several types: use a task for each", file: fileID,
      line: line
    )
    slot.unsaved = (change, change.rollBack)
    change.present(new)
    // Canceled requests leave the queue, so the newest of the others is the one without a successor.
    func isSuperseded() -> Bool { slot.queued.contains { change.saves.contains($0.number) } }
    slot.run(.queue) {
      let effect = Effect(
        in: slot, of: effects,
        {
          guard !isSuperseded() else { return }
          if change.shown != new { change.present(new) }
          guard change.needsSaving else { return }
          change.isSavedKnown = false
          do {
            try await save(new)
            try Task.checkCancellation()
          } catch {
            if isSuperseded() { return }
            throw error
          }
          change.saved = new
          change.isSavedKnown = true
        }, catch: handle, outlivesScreen: outlivesScreen)
      change.saves.insert(effect.number)
      return effect
    }
  }
}

/// A change that is shown but not saved. The work rolls it back when its last save has ended.
@CoreActor
private final class OptimisticChange<Value: Equatable> {
  var saved: Value
  /// False while `saved` is a guess: a save that failed may have taken effect anyway.
  var isSavedKnown = true
  /// The numbers of the effects that save.
  var saves: Set<Int> = []

  private(set) var shown: Value
  private let show: (Value) -> Void

  init(_ saved: Value, show: @escaping (Value) -> Void) {
    self.saved = saved
    shown = saved
    self.show = show
  }

  var needsSaving: Bool { shown != saved || !isSavedKnown }

  func present(_ value: Value) {
    shown = value
    show(value)
  }

  func rollBack() {
    if shown != saved { present(saved) }
  }
}
