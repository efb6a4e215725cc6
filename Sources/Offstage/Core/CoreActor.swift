/// Where all app state lives: one thread, one first-in-first-out queue.
///
/// Screens, ports, effects and the router are isolated to it, so the compiler keeps everything
/// else away, and what two screens see of each other never depends on timing. Its executor's loop
/// is the loop that reads standard input: an event takes no thread hop on its way.
@globalActor
public actor CoreActor {
  /// The one core actor of the process, as `@globalActor` asks for.
  public static let shared = CoreActor()

  package static let executor = CoreExecutor()

  /// The executor whose loop reads standard input.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}

extension CoreActor {
  /// Runs what is isolated to the core from code that is not, but that runs on its thread.
  /// - Precondition: the caller is on the core's thread.
  package static func assumeIsolated<Value>(
    _ operation: @CoreActor () throws -> Value
  ) rethrows -> Value {
    executor.checkIsolated()
    // What the standard library does for the main actor: isolation is no part of the calling
    // convention, so dropping it from the type is sound once the thread has been checked.
    return try withoutActuallyEscaping(operation) { operation in
      try unsafeBitCast(operation, to: (() throws -> Value).self)()
    }
  }
}
