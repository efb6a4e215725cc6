extension Effects {
  /// Shows a change before it is saved, and takes it back when it cannot be: a bookmark, a like.
  ///
  /// One save of a name runs at a time, so that none overtakes another. Changes that come meanwhile
  /// are shown at once, and the newest of them is saved next. When the last work of the name has
  /// ended, however it did, what is shown is what was saved last; a save that fails or is cancelled
  /// counts as not done.
  /// - Parameters:
  ///   - name: which change this is; that of one row among many has the row's id in it.
  ///   - old: what is saved, as far as the screen knows.
  ///   - show: shows a value: `new` at once, and the saved one to undo.
  ///   - save: saves a value, somewhere that takes time.
  ///   - catch: called after the undoing with what `save` threw. A failure that no longer matters,
  ///     as something newer is wanted, is not told.
  public func optimistic<Value: Equatable & Sendable>(
    _ name: String, from old: Value, to new: Value, show: @escaping (Value) -> Void,
    save: @escaping @CoreActor (Value) async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard node.isOpen else { return }
    let change = unsaved[name] as? UnsavedChange<Value> ?? UnsavedChange(saved: old, show: show)
    unsaved[name] = change
    let turn = change.want(new)
    run(
      name, .queue,
      {
        guard turn == change.newest, change.needsSaving else { return }
        do {
          change.isSure = false
          try await save(new)
          try Task.checkCancellation()
          change.saved = new
          change.isSure = true
        } catch {
          // Otherwise something newer is wanted, and waits for its turn.
          guard turn == change.newest else { return }
          change.takeBack()
          throw error
        }
      }, catch: handle)
  }
}

/// What is shown and not saved yet.
@CoreActor
final class UnsavedChange<Value: Equatable>: Unsaved {
  var saved: Value
  /// Whether `saved` is what there is: a save that failed may have been done all the same.
  var isSure = true
  /// Counts the changes; the newest is the one that matters.
  private(set) var newest = 0

  private var shown: Value
  private let show: (Value) -> Void

  init(saved: Value, show: @escaping (Value) -> Void) {
    self.saved = saved
    shown = saved
    self.show = show
  }

  var needsSaving: Bool { shown != saved || !isSure }

  /// - Returns: the number of this change.
  func want(_ value: Value) -> Int {
    newest += 1
    put(value)
    return newest
  }

  func takeBack() {
    if shown != saved { put(saved) }
  }

  private func put(_ value: Value) {
    shown = value
    show(value)
  }
}

/// A change of any type, as the effects keep it while they work on it.
@CoreActor
protocol Unsaved: AnyObject {
  /// Shows what is saved.
  func takeBack()
}
