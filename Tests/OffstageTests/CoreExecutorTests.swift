import Foundation
import Offstage
import OffstageSystem
import OffstageTesting
import Testing

#if canImport(Glibc)
  // Missing from Glibc's module.
  @_silgen_name("pthread_getattr_np")
  private func getAttributes(
    _ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>
  ) -> Int32
#endif

/// Effects alternate in the order of their start, even in nonisolated code, the same in every run.
@Suite @CoreActor struct CoreExecutorTests {
  @Test func effectsAlternateInOrder() async throws {
    for _ in 1...20 {
      let core = TestCore()
      let screen = core.show { Probe() }
      let log = Recorder<String>()
      for name in ["a", "b", "c"] {
        screen.effects.run {
          for step in 1...3 {
            log.append("\(name)\(step)")
            await Self.elsewhere()
          }
        }
      }
      await core.settle()
      #expect(log.values == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"])
    }
  }

  /// Work that only ever yields must not starve jobs of other threads.
  @Test(.timeLimit(.minutes(5))) func jobsOfOtherThreadsAreNotStarved() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let answers = Recorder<Int>()
    screen.effects.run { while answers.values.isEmpty { await Task.yield() } }
    Thread.detachNewThread { Task { @CoreActor in answers.append(1) } }
    await core.settle()
    #expect(answers.values == [1])
  }

  /// A thread that is never joined would keep its stack for good.
  @Test func threadsAreDetached() async {
    let isDetached = await withCheckedContinuation { continuation in
      _ = startThread { continuation.resume(returning: Self.isDetached) }
    }
    #expect(isDetached)
  }

  /// True if the calling thread is detached.
  private nonisolated static var isDetached: Bool {
    #if canImport(Glibc)
      var attributes = pthread_attr_t()
      guard getAttributes(pthread_self(), &attributes) == 0 else { return false }
      defer { pthread_attr_destroy(&attributes) }
      var state: Int32 = 0
      return pthread_attr_getdetachstate(&attributes, &state) == 0
        && state == Int32(PTHREAD_CREATE_DETACHED)
    #else
      return pthread_detach(pthread_self()) == EINVAL
    #endif
  }

  /// The default of some platforms is too little for code that recurses: 128 KiB with musl.
  @Test func threadsHaveAStackOfEightMebibytes() async {
    let depth = await withCheckedContinuation { continuation in
      _ = startThread { continuation.resume(returning: Self.descend()) }
    }
    #expect(depth > 0)
  }

  /// Recurses through seven mebibytes of stack.
  private nonisolated static func descend(from start: UInt? = nil) -> Int {
    var place = 0
    let address = withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) }
    let start = start ?? address
    return start - address < 7 << 20 ? descend(from: start) + 1 : place
  }

  /// The core would have two owners.
  @Test func threadCannotAdoptACoreThatIsServed() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in }.value
      CoreActor.executor.adoptCurrentThread(fileID: #fileID, line: #line)
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("OffstageTests/CoreExecutorTests.swift:"))
    #expect(error.contains("Program.run() must come before"))
  }

  @Test func nonisolatedCodeRunsOnTheCoresThread() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<Bool>()
    screen.effects.run { log.append(await Self.elsewhere()) }
    await core.settle()
    #expect(log.values == [true])
  }

  @Test func runsJobsOfOtherThreads() async throws {
    let count = Recorder<Int>()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...200 { group.addTask { await count.append(number) } }
    }
    #expect(Set(count.values) == Set(1...200))
  }

  @concurrent
  @discardableResult
  private nonisolated static func elsewhere() async -> Bool {
    await Task.yield()
    return CoreActor.executor.isCurrent
  }
}
