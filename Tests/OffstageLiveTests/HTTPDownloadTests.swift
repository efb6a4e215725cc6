import Foundation
import OffstageSystem
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

/// Bodies that go to a file. Their timeout is that of a mebibyte.
@Suite struct HTTPDownloadTests {
  /// Twelve pieces take twelve seconds at least, and each has ten, so that a busy machine does not
  /// matter.
  @Test func downloadMayTakeLongerThanTheTimeoutWhileItMakesProgress() async throws {
    let size = try await download(
      .paced(size: 1 << 20, count: 12, milliseconds: 1000), timeout: .seconds(10), attempts: 1)
    #expect(size == 12 << 20)
  }

  /// Not even before the reader has begun.
  @Test func aBodyThatWaitsForItsReaderDoesNotTimeOut() {
    let whole = [UInt8](repeating: 0x78, count: ResponseBuffer.capacity)
    for (timeout, isInTime) in [(nil, true), (.seconds(3), false)] as [(Duration?, Bool)] {
      let buffer = ResponseBuffer(timeout: timeout)
      buffer.startClock()
      #expect(whole.withUnsafeBytes { buffer.receive($0) })
      #expect(whole.withUnsafeBytes { !buffer.receive($0) })
      let demand = buffer.demand(at: .now + .seconds(60))
      if case .wait = demand { #expect(isInTime) } else { #expect(!isInTime, "\(demand)") }
    }
  }

  /// Bytes alone are no progress, or a slow server could hold the connection for weeks.
  @Test func downloadThatDripsTimesOut() async throws {
    let failure = await #expect(throws: HTTPError.self) {
      try await download(
        .paced(size: 1, count: .max, milliseconds: 100), timeout: .milliseconds(500), attempts: 1)
    }
    #expect(failure?.reason == .timedOut)
  }

  /// - Returns: The size of the downloaded file.
  private func download(
    _ reply: LoopbackReply, timeout: Duration, attempts: Int
  ) async throws -> off_t {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let client = NotedWaits().client(
      timeout: timeout, retry: RetryPolicy(attempts: attempts), bodyLimit: 1 << 40)
    let file = try PrivateFiles.createNamelessFile()
    defer { close(file) }
    let response = try await client.download(HTTPRequest(.get, server.base), to: file)
    #expect(response.status == 200)
    return lseek(file, 0, SEEK_END)
  }
}
