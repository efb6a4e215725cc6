import Offstage
import OffstageSystem

/// A screen whose work ends on an external signal.
final class Busy: Screen {
  static let kind = "busy"

  struct Input: Ports {
    /// Reads from the named pipe at this path, on a separate thread, until a line comes.
    let fetchTapped = In<String>()
    /// Fails with this message.
    let failTapped = In<String>()
    let askTapped = In<Trigger>()
    let queryText = In<String>()
    /// Sleeps for this many milliseconds on the core's clock.
    let restTapped = In<Int>()
    /// Sleeps for the longest time that a clock supports.
    let restForeverTapped = In<Trigger>()
    /// Blocks the core's thread until a line comes from the named pipe at this path.
    let blockTapped = In<String>()
    /// Computes for this many milliseconds.
    let computeTapped = In<Int>()
    /// Ends the process by a signal.
    let crashTapped = In<Trigger>()
  }

  struct Output: Ports {
    let fetched = Out<String?>(nil)
    let answer = Out<String?>(nil)
    /// The query, 20 milliseconds after the last change.
    let query = Out("")
    let isResting = Out(false)
  }

  struct Failure: Error {
    let reason: String
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private lazy var rest = effects.task(.latest)

  init() {
    output.query.bind(input.queryText.debounce(.milliseconds(20)))
    input.fetchTapped.observe { [output, effects] path in
      effects.run { output.fetched.value = await Gate(path: path).pass() }
    }
    input.failTapped.observe { [effects] reason in
      effects.run { throw Failure(reason: reason) }
    }
    input.askTapped.observe { [output, effects] in
      effects.run {
        output.answer.value = try await effects.ask(.alert(Dialog("Really?"))).button
      }
    }
    input.restTapped.observe { [self] in rest(for: .milliseconds($0)) }
    input.restForeverTapped.observe { [self] in rest(for: .seconds(Int64.max)) }
    input.blockTapped.observe { [output] in output.fetched.value = Gate(path: $0).line() }
    input.computeTapped.observe { time in
      let end = ContinuousClock.now + .milliseconds(time)
      while ContinuousClock.now < end {}
    }
    input.crashTapped.observe { abort() }
  }

  private func rest(for duration: Duration) {
    rest.run { [output, effects] in
      output.isResting.value = true
      try await effects.sleep(for: duration)
      output.isResting.value = false
    }
  }
}

/// A named pipe whose reader waits for a line.
struct Gate {
  let path: String

  /// Waits on another thread, like a blocking database call.
  /// - Returns: the line; nil if the pipe cannot be opened.
  func pass() async -> String? {
    await Task.detached { line() }.value
  }

  /// Blocks the calling thread.
  func line() -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) == nil {
      // ThreadSanitizer does not restart a call that a signal interrupts.
      guard errno == EINTR, feof(file) == 0 else { return nil }
      clearerr(file)
    }
    let text = line.prefix { $0 != 0 && $0 != 0x0A }
    return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
