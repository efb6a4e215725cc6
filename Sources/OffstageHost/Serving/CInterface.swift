internal import Offstage
internal import OffstageRPC
internal import OffstageSystem
internal import Synchronization

/// The functions behind the C interface of an embedded core, `offstage.h`.
///
/// A dynamic library exports them for its program with `@_cdecl`; see `Sources/ShowcaseEmbedded`.
public enum CInterface {
  /// Starts a core, and waits until it is running.
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - error: A buffer for the message of a failure.
  /// - Returns: The core; nil for an invalid command line, or if the app cannot be composed.
  public static func start(
    _ program: Program, _ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) -> UnsafeMutableRawPointer? {
    do {
      let words = try Arguments.words(Int(count)) { arguments?[$0] }
      let handle = try Handle(start(program, words))
      return Unmanaged.passRetained(handle).toOpaque()
    } catch let failure {
      guard let error, capacity > 0 else { return nil }
      let message = Array(Console.escaped("\(program.info.name): \(failure)").utf8CString)
      for (index, byte) in message.prefix(capacity).enumerated() { error[index] = byte }
      error[min(message.count, capacity) - 1] = 0
      return nil
    }
  }

  /// Sends a line.
  public static func send(
    _ core: UnsafeMutableRawPointer, _ line: UnsafePointer<CChar>, _ length: Int
  ) {
    handle(core).core.send(UnsafeRawBufferPointer(start: line, count: length))
  }

  /// Waits for the next line.
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: 1 for a line, 0 for a timeout, -1 after the end.
  public static func receive(
    _ core: UnsafeMutableRawPointer, _ milliseconds: Int32,
    _ line: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ length: UnsafeMutablePointer<Int>
  ) -> Int32 {
    let handle = handle(core)
    let end = milliseconds < 0 ? nil : CoreClock.machineTime + .milliseconds(milliseconds)
    var item = handle.core.output.take()
    while item == .nothing {
      let time = end.map { $0 - CoreClock.machineTime }
      if let time, time <= .zero { break }
      handle.delivery.wait(time?.pollTimeout ?? -1)
      item = handle.core.output.take()
    }
    switch item {
    case .line(let text):
      (line.pointee, length.pointee) = handle.keep(text)
      return 1
    case .nothing: return 0
    case .end: return -1
    }
  }

  /// Ends and frees a core.
  public static func stop(_ core: UnsafeMutableRawPointer) {
    let handle = Unmanaged<Handle>.fromOpaque(core).takeRetainedValue()
    handle.core.stop()
  }

  private static func handle(_ core: UnsafeMutableRawPointer) -> Handle {
    Unmanaged<Handle>.fromOpaque(core).takeUnretainedValue()
  }

  /// Starts a core and blocks the calling thread, which must not be one of Swift concurrency's.
  private static func start(_ program: Program, _ words: [String]) throws -> EmbeddedCore {
    let end = try WakePipe()
    let result = Mutex<Result<EmbeddedCore, any Error>?>(nil)
    Task {
      let started: Result<EmbeddedCore, any Error>
      do { started = .success(try await EmbeddedCore(program, arguments: words)) } catch {
        started = .failure(error)
      }
      result.withLock { $0 = started }
      end.wake()
    }
    while true {
      // A signal ends the wait early.
      end.wait()
      if let result = result.withLock(\.self) { return try result.get() }
    }
  }
}

/// The core that a C program holds a pointer to.
private final class Handle {
  let core: EmbeddedCore
  let delivery: WakePipe
  /// The last line that was received.
  private var line: UnsafeMutableBufferPointer<CChar>?

  init(_ core: EmbeddedCore) throws {
    self.core = core
    delivery = try WakePipe()
    core.output.onDelivery(delivery.wake)
  }

  deinit { line?.deallocate() }

  /// Keeps a line for the caller until the next one.
  func keep(_ text: String) -> (UnsafePointer<CChar>, length: Int) {
    line?.deallocate()
    let bytes = text.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    line = copy
    return (UnsafePointer(copy.baseAddress!), bytes.count - 1)
  }
}
