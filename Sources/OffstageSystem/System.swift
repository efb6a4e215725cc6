/// The platform's C library under one name, and wrappers for calls that differ between platforms.
///
/// `import OffstageSystem` replaces conditional imports of `Glibc`, `Musl`, and `Darwin`.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

// MARK: Descriptors

// Types with methods named `read`, `write`, or `close` cannot call the C functions by name.

/// Calls `read(2)`.
/// - Returns: The number of bytes read; 0 at the end of the input; -1 for an error.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

/// Calls `write(2)`.
/// - Returns: The number of bytes written; -1 for an error.
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

@discardableResult
package func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

package var systemCallShouldRetry: Bool { errno == EINTR || errno == EAGAIN }

/// The soft and hard limits of open files. Setting a limit that the system rejects has no effect.
package var openFileLimit: rlimit {
  get {
    var limit = rlimit()
    getrlimit(openFiles, &limit)
    return limit
  }
  set {
    var limit = newValue
    setrlimit(openFiles, &limit)
  }
}

#if canImport(Glibc)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
#endif

package struct FileError: Error, CustomStringConvertible {
  package let description: String
  /// The system's error number; nil if the system is not at fault.
  package let code: Int32?

  package init(_ path: String, code: Int32 = errno) {
    self.code = code
    description = "\(path): \(String(cString: strerror(code)))"
  }

  /// - Parameter description: A message that begins with the path.
  package init(description: String) { (code, self.description) = (nil, description) }

  /// The system's description, such as "Permission denied", or else the whole message.
  package var reason: String { code.map { String(cString: strerror($0)) } ?? description }
}

// MARK: Threads

/// A number that identifies the calling thread among the running threads.
package var currentThreadID: UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}

/// The size of a thread's stack in bytes. Musl's default is 128 KiB, and Darwin's is 512 KiB.
private let stackSize = 8 << 20

/// - Returns: 0, or an error number.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  var attributes = pthread_attr_t()
  let invalid = pthread_attr_init(&attributes)
  guard invalid == 0 else { return invalid }
  defer { pthread_attr_destroy(&attributes) }
  let refused = pthread_attr_setstacksize(&attributes, stackSize)
  guard refused == 0 else { return refused }
  let start = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
  #if canImport(Glibc)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  let failure = pthread_create(
    &thread, &attributes,
    { argument in
      // No one joins the thread, so let the system free its stack when it ends.
      pthread_detach(pthread_self())
      // The argument is optional on some platforms only.
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

/// The time in milliseconds on a monotonic clock that advances only every few milliseconds. It takes
/// a fifth of the time of reading an exact clock.
package var coarseMilliseconds: Int {
  #if canImport(Darwin)
    let clock = CLOCK_MONOTONIC_RAW_APPROX
  #else
    let clock = CLOCK_MONOTONIC_COARSE
  #endif
  var time = timespec()
  clock_gettime(clock, &time)
  return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
}

/// Sends `SIGALRM` to the process every `milliseconds`, less than a second; 0 to stop.
package func setAlarm(every milliseconds: Int) {
  let interval = timeval(tv_sec: 0, tv_usec: .init(milliseconds * 1000))
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

/// Returns the resident memory of a process in bytes; nil on a system that does not tell.
package func residentMemory(of process: pid_t = getpid()) -> Int? {
  guard let file = fopen("/proc/\(process)/statm", "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, Int32(line.count), file) != nil else { return nil }
  // The second number is that of the resident pages.
  let numbers = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    .split(separator: " ")
  return numbers.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
}

/// The file that this process runs, by what changes if it is replaced; nil on a system that does not
/// tell.
package var programFile: String? {
  guard let status = PrivateFiles.status("/proc/self/exe") else { return nil }
  return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(modificationTime(status))"
}
