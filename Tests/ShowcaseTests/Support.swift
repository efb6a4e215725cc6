import Offstage
import Synchronization

@testable import Showcase

/// A mocked method: each call suspends until the test replies.
final class Asked<Question: Sendable, Reply: Sendable>: Sendable {
  private struct State: Sendable {
    var questions: [Question] = []
    var unseen: [Call] = []
    var waiter: CheckedContinuation<Call, Never>?
  }

  /// True if a canceled call throws at once; false if it ignores cancellation.
  private let heedsCancellation: Bool
  private let state = Mutex(State())

  init(heedsCancellation: Bool = true) { self.heedsCancellation = heedsCancellation }

  /// The arguments of all calls.
  var questions: [Question] { state.withLock { $0.questions } }

  /// Returns the next call, waiting for it if necessary.
  func next() async -> Call {
    await withCheckedContinuation { continuation in
      let call = state.withLock { state -> Call? in
        if !state.unseen.isEmpty { return state.unseen.removeFirst() }
        state.waiter = continuation
        return nil
      }
      if let call { continuation.resume(returning: call) }
    }
  }

  /// Called by the mocked method.
  func callAsFunction(_ question: Question) async throws -> Reply {
    let call = Call(question)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.start(continuation)
        note(call)
      }
    } onCancel: { [heedsCancellation] in
      call.cancel(ending: heedsCancellation)
    }
  }

  private func note(_ call: Call) {
    let waiter = state.withLock { state -> CheckedContinuation<Call, Never>? in
      state.questions.append(call.question)
      if state.waiter == nil { state.unseen.append(call) }
      return state.waiter.take()
    }
    waiter?.resume(returning: call)
  }

  /// A suspended call. The first reply counts.
  final class Call: Sendable {
    let question: Question
    private let continuation = Mutex<CheckedContinuation<Reply, any Error>?>(nil)
    private let canceled = Atomic(false)

    fileprivate init(_ question: Question) { self.question = question }

    /// True if the task of the call was canceled.
    var isCancelled: Bool { canceled.load(ordering: .relaxed) }

    func reply(_ reply: Reply) { take()?.resume(returning: reply) }

    func fail(_ error: any Error) { take()?.resume(throwing: error) }

    fileprivate func start(_ continuation: CheckedContinuation<Reply, any Error>) {
      self.continuation.withLock { $0 = continuation }
    }

    fileprivate func cancel(ending: Bool) {
      canceled.store(true, ordering: .relaxed)
      if ending { fail(CancellationError()) }
    }

    private func take() -> CheckedContinuation<Reply, any Error>? {
      continuation.withLock { $0.take() }
    }
  }
}

extension Avatar {
  static let mina = Avatar(
    id: "mina", name: "Mina", category: .cooks, description: "A cook.")
  static let misty = Avatar(
    id: "misty", name: "Misty", category: .animals, description: "A cat.")
}

extension LoggableEvent {
  /// The event as one line, with its parameters sorted by name.
  var line: String {
    let pairs = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return ([name] + pairs).joined(separator: " ")
  }
}

/// The calls of all mocks that share this object, in order.
@CoreActor
final class Calls {
  private(set) var all: [String] = []

  func note(_ call: String) { all.append(call) }

  func removeAll() { all = [] }
}

/// Records the events that a screen tracks.
@CoreActor
final class MockTracker: EventTracker {
  let calls = Calls()

  func trackEvent(_ event: any LoggableEvent) { calls.note(event.line) }
}

/// The values that a source has emitted since the subscription.
@CoreActor
final class Events<Value> {
  private(set) var values: [Value] = []

  init(of source: some Source<Value>) {
    source.observe { [weak self] in self?.values.append($0) }
  }
}

/// Runs all work that is due without waiting for pending replies, so that an unexpected call fails
/// a test instead of hanging it.
@CoreActor
func turns() async {
  for _ in 0..<20 { await Task.yield() }
}

/// A weak reference in a value.
struct Weak<Object: AnyObject> {
  weak var object: Object?

  init(_ object: Object?) { self.object = object }
}
