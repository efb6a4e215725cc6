import Testing

@testable import Offstage

/// A wait ends once: with what came first.
@Suite @CoreActor struct ParkingTests {
  @Test func endsWithTheFirstResult() async throws {
    var parking: Parking<Int>?
    let value = try await Parking<Int>.wait {
      parking = $0
      $0.end(with: .success(1))
      $0.end(with: .failure(Broken()))
      return { Issue.record("there is nothing to clean up") }
    }
    parking?.end(with: .success(2))
    #expect(value == 1)
  }

  @Test func endsWithAnError() async throws {
    await #expect(throws: Broken.self) {
      try await Parking<Int>.wait {
        $0.end(with: .failure(Broken()))
        return {}
      }
    }
  }

  @Test func cancellingCleansUpOnce() async throws {
    let log = Heard<String>()
    let task = Task { @CoreActor in
      do {
        _ = try await Parking<Int>.wait { parking in
          log.append("waits")
          return {
            log.append("cleans up")
            parking.end(with: .success(1))
          }
        }
      } catch is CancellationError { log.append("cancelled") }
    }
    while log.values.isEmpty { await Task.yield() }
    task.cancel()
    task.cancel()
    #expect(
      log.values == ["waits", "cleans up"], "the wait ends within the turn of its cancelling")
    try await task.value
    #expect(log.values == ["waits", "cleans up", "cancelled"])
  }

  @Test func nothingStartsInATaskThatIsCancelledAlready() async throws {
    let task = Task { @CoreActor in
      while !Task.isCancelled { await Task.yield() }
      _ = try await Parking<Int>.wait { _ in
        Issue.record("the task is cancelled")
        return {}
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func canBeCancelledFromElsewhere() async throws {
    let log = Heard<String>()
    let task = Task { @CoreActor in
      _ = try await Parking<Int>.wait { _ in
        log.append("waits")
        return { log.append("cleans up") }
      }
    }
    while log.values.isEmpty { await Task.yield() }
    await Task.detached { task.cancel() }.value
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.values == ["waits", "cleans up"])
  }
}
