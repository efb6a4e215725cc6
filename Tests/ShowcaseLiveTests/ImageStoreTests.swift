import Foundation
import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct ImageStoreTests {
  private let directory: TemporaryDirectory
  private let png = LoopbackReply.answer(
    LoopbackAnswer(contentType: "image/png", body: Array(repeating: 7, count: 100)))

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: [
    ("image/png", "png"), ("image/svg+xml; charset=utf-8", "svg"), ("Image/JPEG", "jpeg"),
  ])
  func keepsAPicture(contentType: String, suffix: String) async throws {
    let server = try LoopbackServer { _ in
      .answer(LoopbackAnswer(contentType: contentType, body: [1, 2, 3]))
    }
    defer { server.stop() }
    let url = try await store().localURL(of: "\(server.base)/a")
    #expect(url == directory.file("images/1.\(suffix)").absoluteString)
    #expect(try Data(contentsOf: #require(URL(string: url))) == Data([1, 2, 3]))
    #expect(try images() == ["1.\(suffix)"], "Nothing temporary is left.")
  }

  @Test func isFetchedOnceHoweverManyAsk() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store()
    let urls = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...50 { group.addTask { try await store.localURL(of: "\(server.base)/a") } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(urls.count == 1)
    #expect(server.requests == ["/a"])
  }

  @Test func theLastWaiterClosesTheConnection() async throws {
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let store = try store()
    let task = Task { try await store.localURL(of: "\(server.base)/a") }
    await server.next(.received(path: "/a"))
    task.cancel()
    await server.next(.abandoned(path: "/a"))
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func needsNoServerAfterARestart() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let url = try await store().localURL(of: "\(server.base)/a")
    server.stop()
    #expect(try await store().localURL(of: "\(server.base)/a") == url)
  }

  /// Three pictures of 100 bytes fit; what was used longest ago goes first, also after a restart.
  @Test(arguments: [false, true]) func dropsTheLeastRecentlyUsed(restarts: Bool) async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    var store = try store(byteLimit: 350)
    for name in ["a", "b", "c", "a"] { _ = try await store.localURL(of: "\(server.base)/\(name)") }
    #expect(try images() == ["1.png", "2.png", "3.png"])
    if restarts { store = try self.store(byteLimit: 350) }
    _ = try await store.localURL(of: "\(server.base)/d")
    #expect(try images() == ["1.png", "3.png", "4.png"])
    _ = try await store.localURL(of: "\(server.base)/b")
    #expect(try images() == ["1.png", "4.png", "5.png"])
    #expect(server.requests == ["/a", "/b", "/c", "/d", "/b"])
  }

  @Test func manyAtOnceStayWithinTheLimit() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store(byteLimit: 350)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in 1...20 {
        group.addTask { _ = try await store.localURL(of: "\(server.base)/\(name)") }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 20)
    #expect(try images() == ["18.png", "19.png", "20.png"])
  }

  @Test func keepsTheNewestWhateverItsSize() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store(byteLimit: 10)
    for name in ["a", "b"] { _ = try await store.localURL(of: "\(server.base)/\(name)") }
    #expect(try images() == ["2.png"])
  }

  @Test func fetchesALostFileAgainAndSweepsStrayOnes() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    _ = try await store().localURL(of: "\(server.base)/a")
    try FileManager.default.removeItem(at: directory.file("images/1.png"))
    try Data([1]).write(to: directory.file("images/99.png"))
    _ = try await store().localURL(of: "\(server.base)/a")
    #expect(try images() == ["2.png"])
  }

  @Test func aDatabaseInMemoryLeavesTheDirectoryAlone() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let database = try Database(.memory, execution: .inline)
    let store = ImageStore(directory: directory.url, database: database, client: Waits().client())
    let url = try #require(URL(string: try await store.localURL(of: "\(server.base)/a")))
    defer {
      try? FileManager.default.removeItem(
        at: url.deletingLastPathComponent().deletingLastPathComponent())
    }
    #expect(try Data(contentsOf: url).count == 100)
    #expect(try directory.contents().isEmpty)
  }

  @Test func dataStaysAsItIs() async throws {
    #expect(try await store().localURL(of: "data:,x") == "data:,x")
  }

  @Test(arguments: ["", "a.png", "file:///etc/hosts", "ftp://127.0.0.1/a"])
  func whatIsNoWebAddress(url: String) async throws {
    let failure = await #expect(throws: LoadFailure.self) { try await store().localURL(of: url) }
    #expect(failure?.reason == .malformed)
  }

  @Test(arguments: [
    (LoopbackReply.json("{}"), LoadFailure.Reason.malformed),
    (.status(404), .notFound),
    (.status(500), .server),
    (.truncated(LoopbackAnswer(contentType: "image/png", body: [1])), .malformed),
  ])
  func aFailureIsNotKept(reply: LoopbackReply, reason: LoadFailure.Reason) async throws {
    let orders = Faults(Array(repeating: reply, count: 3), then: png)
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let store = try store()
    while true {
      do {
        _ = try await store.localURL(of: "\(server.base)/a")
        break
      } catch {
        #expect((error as? LoadFailure)?.reason == reason)
      }
    }
    #expect(server.requests.count == 4)
    #expect(try images() == ["1.png"])
  }

  @Test func aDirectoryThatCannotBeWritten() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store()
    try Data().write(to: directory.file("images"))
    let failure = await #expect(throws: LoadFailure.self) {
      try await store.localURL(of: "\(server.base)/a")
    }
    #expect(failure?.reason == .storage)
  }

  private func store(byteLimit: Int = 1000) throws -> ImageStore {
    ImageStore(
      directory: directory.url,
      database: try Database(.directory(directory.url), execution: .background),
      client: Waits().client(), byteLimit: byteLimit)
  }

  private func images() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.file("images").path).sorted()
  }
}
