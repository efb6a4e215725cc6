import Synchronization

/// A value that a test changes while a server's threads read it.
final class Mutexed<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func get() -> Value { value.withLock { $0 } }
  func set(_ new: Value) { value.withLock { $0 = new } }
}

extension Mutexed {
  /// Returns the value and clears it.
  func take<Wrapped>() -> Wrapped? where Value == Wrapped? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}

/// A condition that a test sets while a server's threads read it.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
