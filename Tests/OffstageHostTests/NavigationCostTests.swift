import OffstageSystem
import Testing

@testable import Offstage
@testable import OffstageHost

/// A sheet costs the same over a thousand others. Compares times of one run, since the machine may
/// be busy.
@Suite @CoreActor struct NavigationCostTests {
  @Test(arguments: ["sheet", "modal"]) func depthDoesNotMatter(_ way: String) async throws {
    let talk = try await Conversation()
    var count = 0
    func time(of repetitions: Int) -> Double {
      let start = threadTime
      for _ in 1...repetitions {
        count += 1
        talk.put(input(count, way))
        _ = talk.session.takeOutput()
      }
      return threadTime - start
    }
    _ = time(of: 100)
    let low = time(of: 200)
    _ = time(of: 3_000)
    let high = time(of: 200)
    #expect(high < 4 * low)
    talk.session.core.closeAll()
    #expect(talk.session.core.navigation.modals.isEmpty)
  }

  private var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
