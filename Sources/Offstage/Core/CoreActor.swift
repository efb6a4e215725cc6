/// The global actor of all app state: one thread, one first-in-first-out queue.
///
/// Screens, ports, effects, and routers are isolated to it. The compiler keeps other threads away,
/// and the order of two events never depends on timing. The loop of its executor also reads
/// standard input, so an input reaches its observers without a thread hop.
///
/// Some properties of classes that are isolated to it are marked `@exclusivity(unchecked)`. An input
/// accesses them a hundred times, and each checked access takes some 70 instructions: 19,000 for an
/// input instead of 10,900 (callgrind, piped inputs of `bench-app`). The checks could find nothing that
/// the isolation to one thread does not rule out, as long as no access spans a call to the app's code.
///
/// Rare work beside the path of an input is marked `@inline(never)`. The code of that path is about as
/// large as the instruction cache: 36 KB of it missed 360 times per input, 34 KB miss 300 times, and
/// take 6 % less time (callgrind with a cache of 32 KB; 300,000 piped inputs).
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
    // The standard library does the same in `MainActor.assumeIsolated`, which it does not offer for
    // other global actors. Isolation is not part of the calling convention, so it is sound to drop
    // it from the type once the thread has been checked.
    return try withoutActuallyEscaping(operation) { operation in
      try unsafeBitCast(operation, to: (() throws -> Value).self)()
    }
  }
}
