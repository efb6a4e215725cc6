/// The platform's C library under one name, and the few calls that differ between platforms.
///
/// `import OffstageSystem` takes the place of a choice between `Glibc`, `Musl` and `Darwin`.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

// MARK: Descriptors

// Types with methods called `read`, `write` or `close` cannot call the C functions by these names.

/// Calls `read(2)`.
/// - Returns: the number of bytes read; 0 at the end of the input, -1 for an error.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

/// Calls `write(2)`.
/// - Returns: the number of bytes written; -1 for an error.
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Calls `close(2)`.
@discardableResult
package func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

// MARK: Threads

/// A number that identifies the calling thread among those that are running.
package var currentThreadID: UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}

/// Runs `body` on a new thread.
/// - Returns: 0, or the error that `pthread_create` returned.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  let start = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
  #if canImport(Glibc)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  let failure = pthread_create(
    &thread, nil,
    { argument in
      // No one joins the thread: its stack is freed when it ends.
      pthread_detach(pthread_self())
      // Optional on some platforms only.
      let argument: UnsafeMutableRawPointer? = argument
      Unmanaged<ThreadStart>.fromOpaque(argument!).takeRetainedValue().body()
      return nil
    }, start)
  if failure != 0 { Unmanaged<ThreadStart>.fromOpaque(start).release() }
  return failure
}

private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Sends `SIGALRM` to the process every `seconds`; 0 to stop.
package func setAlarm(every seconds: Int) {
  let interval = timeval(tv_sec: seconds, tv_usec: 0)
  var timer = itimerval(it_interval: interval, it_value: interval)
  #if canImport(Glibc)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  #else
    setitimer(ITIMER_REAL, &timer, nil)
  #endif
}

// MARK: Files

/// Returns the time of the last change to a file, in nanoseconds since 1970.
package func modificationTime(_ status: stat) -> Int {
  #if canImport(Darwin)
    let time = status.st_mtimespec
  #else
    let time = status.st_mtim
  #endif
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

// MARK: Processes

/// The variables of this process, for one that it starts.
package var systemEnvironment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  #if canImport(Darwin)
    _NSGetEnviron().pointee
  #else
    environ
  #endif
}

/// The file actions of a process to be spawned, to be initialized by `posix_spawn_file_actions_init`.
package var spawnFileActions: SpawnFileActions {
  #if canImport(Darwin)
    nil
  #else
    posix_spawn_file_actions_t()
  #endif
}

/// The flag `POSIX_SPAWN_SETSID`, which glibc declares as an extension.
package var spawnInNewSession: Int16 {
  #if canImport(Darwin)
    0x400
  #else
    0x80
  #endif
}

/// The attributes of a process to be spawned, to be initialized by `posix_spawnattr_init`.
package var spawnAttributes: SpawnAttributes {
  #if canImport(Darwin)
    nil
  #else
    posix_spawnattr_t()
  #endif
}

#if canImport(Darwin)
  package typealias SpawnFileActions = posix_spawn_file_actions_t?
  package typealias SpawnAttributes = posix_spawnattr_t?
#else
  package typealias SpawnFileActions = posix_spawn_file_actions_t
  package typealias SpawnAttributes = posix_spawnattr_t
#endif
