/// The global actor of all app state: one thread, one first-in, first-out queue.
///
/// Screens, ports, effects, and routers are isolated to it. The compiler keeps other threads away,
/// and the order of two events never depends on timing. The loop of its executor also reads
/// standard input, so an input reaches its observers without a thread hop.
///
/// Some properties of isolated classes are marked `@exclusivity(unchecked)`. One input accesses
/// them about a hundred times, and each check takes some 70 instructions: an input takes 19,000
/// with the checks and 10,900 without (callgrind, piped inputs of `bench-app`). On one thread the
/// checks can find nothing, as long as no access spans a call to the app's code.
///
/// Code that an input rarely reaches is marked `@inline(never)`, because the code on the path of
/// every input is about as large as the instruction cache. Going from 36 KB to 34 KB cut cache
/// misses from 360 to 300 per input, and time by 6% (callgrind, 32 KB cache, 300,000 piped inputs).
@globalActor
public actor CoreActor {
  /// The core actor of the process, as `@globalActor` requires.
  public static let shared = CoreActor()

  package static let executor = CoreExecutor()

  /// Runs everything that is isolated to this actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}

extension CoreActor {
  /// Runs an operation that is isolated to the core, from code that is not.
  /// - Precondition: The caller is on the core's thread.
  package static func assumeIsolated<Value>(
    _ operation: @CoreActor () throws -> Value
  ) rethrows -> Value {
    executor.checkIsolated()
    // The standard library does the same in `MainActor.assumeIsolated`, but offers it for no other
    // global actor. Isolation is not part of the calling convention, so it is sound to drop it from
    // the type once the thread has been checked.
    return try withoutActuallyEscaping(operation) { operation in
      try unsafeBitCast(operation, to: (() throws -> Value).self)()
    }
  }
}
