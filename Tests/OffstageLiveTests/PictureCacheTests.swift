import Foundation
import Offstage
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct PictureCacheTests {
  private let directory: TemporaryDirectory
  private let png = LoopbackReply.answer(
    LoopbackAnswer(contentType: "image/png", body: Pictures.png))

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: ["image/png", "application/octet-stream", "text/html", nil])
  func keepsAPictureOfAnyType(contentType: String?) async throws {
    let server = try LoopbackServer { _ in
      .answer(LoopbackAnswer(contentType: contentType, body: Pictures.png))
    }
    defer { server.stop() }
    let url = try await store().uri(of: "\(server.base)/a")
    #expect(try Data(contentsOf: file(of: url)) == Data(Pictures.png))
    #expect(try images() == [url.split(separator: "/").last.map(String.init)])
    #expect(url.hasPrefix("resource:image/"))
    #expect(url.hasSuffix(".png"))
    #expect(try await store().resource(at: path(of: url))?.mimeType == "image/png")
  }

  private func path(of uri: String) -> String { String(uri.dropFirst("resource:".count)) }

  /// The file of a picture.
  private func file(of uri: String) -> URL {
    directory.file("images/\(uri.dropFirst("resource:image/".count))")
  }

  @Test func concurrentRequestsShareOneLoad() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store()
    let urls = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...50 { group.addTask { try await store.uri(of: "\(server.base)/a") } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(urls.count == 1)
    #expect(server.requests == ["/a"])
  }

  @Test func cancelingTheLastWaiterClosesTheConnection() async throws {
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let store = try store()
    let task = Task { try await store.uri(of: "\(server.base)/a") }
    await server.next(.received(path: "/a"))
    task.cancel()
    await server.next(.abandoned(path: "/a"))
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func cacheSurvivesARestart() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let url = try await store().uri(of: "\(server.base)/a")
    server.stop()
    #expect(try await store().uri(of: "\(server.base)/a") == url)
  }

  /// Three pictures of 100 bytes fit; the least recently used goes first, also after a restart.
  @Test(arguments: [false, true]) func dropsTheLeastRecentlyUsed(restarts: Bool) async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    var store = try store(byteLimit: 350)
    for name in ["a", "b", "c", "a"] { _ = try await store.uri(of: "\(server.base)/\(name)") }
    if restarts { store = try self.store(byteLimit: 350) }
    for name in ["d", "c", "a", "b"] { _ = try await store.uri(of: "\(server.base)/\(name)") }
    #expect(server.requests == ["/a", "/b", "/c", "/d", "/b"])
    #expect(try images().count == 3)
  }

  @Test func manyAtOnceStayWithinTheLimit() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store(byteLimit: 350)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in 1...20 {
        group.addTask { _ = try await store.uri(of: "\(server.base)/\(name)") }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 20)
    #expect(try images().count == 3)
  }

  /// The screen shows more pictures than the cache holds.
  @Test(arguments: [false, true])
  func evictedPictureIsLoadedAgainWhenItIsOpened(isInMemory: Bool) async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let database = try Database(
      isInMemory ? .memory : .directory(directory.url), migrations: [.pictureCache])
    let store = PictureCache(
      database: database, client: NotedWaits().client(), byteLimit: 1)
    var urls: [String] = []
    for name in 1...5 { urls.append(try await store.uri(of: "\(server.base)/\(name)")) }
    for url in urls + urls {
      #expect(try await bytes(store.resource(at: path(of: url))) == Pictures.png)
    }
    #expect(server.requests.count == 15)
    #expect(try await store.uri(of: "\(server.base)/5") == urls[4], "the name stays")
    if !isInMemory { #expect(try images().count == 1) }
  }

  private func bytes(_ resource: Resource?) throws -> [UInt8]? {
    switch resource?.content {
    case .bytes(let bytes): bytes
    case .file(let path): Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    case nil: nil
    }
  }

  @Test func evictedPicturesAreForgottenEventually() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store(byteLimit: 1)
    let first = try await store.uri(of: "\(server.base)/1")
    let database = try Database(.directory(directory.url), migrations: [.pictureCache])
    _ = try await database.write { connection in
      try connection.execute(
        """
        WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
        INSERT INTO cached_files (url, file, bytes, used) SELECT n, n, 0, n + 1 FROM numbers
        """)
    }
    _ = try await store.uri(of: "\(server.base)/2")
    #expect(try await store.resource(at: path(of: first)) == nil)
  }

  @Test func keepsTheNewestWhateverItsSize() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store(byteLimit: 10)
    var url = ""
    for name in ["a", "b"] { url = try await store.uri(of: "\(server.base)/\(name)") }
    #expect(try images().map { "resource:image/\($0)" } == [url])
  }

  @Test func lostFileIsLoadedAgain() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let url = try await store().uri(of: "\(server.base)/a")
    try FileManager.default.removeItem(at: file(of: url))
    let again = try await store().uri(of: "\(server.base)/a")
    #expect(try Data(contentsOf: file(of: again)).count == 100)
    #expect(server.requests == ["/a", "/a"])
  }

  // MARK: Other people's files

  @Test(arguments: [
    "1.png", "../app.sqlite", "..", "", "2024", "link", "link/photo.jpg", "%2e%2e/x",
  ])
  func onlyPicturesOfTheCacheAreResources(name: String) async throws {
    let store = try store()
    let images = directory.file("images")
    try FileManager.default.createDirectory(
      at: images.appendingPathComponent("2024"), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: images.appendingPathComponent("1.png"))
    try FileManager.default.createSymbolicLink(
      at: images.appendingPathComponent("link"), withDestinationURL: directory.url)
    #expect(try await store.resource(at: "file/\(name)") == nil)
    #expect(try await store.resource(at: name) == nil)
  }

  @Test func foreignFilesAreLeftAlone() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let outside = try TemporaryDirectory()
    try Data("x".utf8).write(to: outside.file("photo.jpg"))
    let year = directory.file("images/2024")
    try FileManager.default.createDirectory(at: year, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: year.appendingPathComponent("photo.jpg"))
    try Data("x".utf8).write(to: directory.file("images/1.png"))
    try FileManager.default.createSymbolicLink(
      at: directory.file("images/link"), withDestinationURL: outside.url)
    let store = try store(byteLimit: 150)
    for name in ["a", "b", "c"] { _ = try await store.uri(of: "\(server.base)/\(name)") }
    #expect(try images().count == 4)
    #expect(FileManager.default.contents(atPath: directory.file("images/1.png").path)?.count == 1)
    #expect(FileManager.default.fileExists(atPath: directory.file("images/2024/photo.jpg").path))
    #expect(FileManager.default.fileExists(atPath: directory.file("images/link/photo.jpg").path))
  }

  @Test func linkInPlaceOfTheDirectoryIsNotFollowed() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let outside = try TemporaryDirectory()
    try Data("x".utf8).write(to: outside.file("photo.jpg"))
    try FileManager.default.createSymbolicLink(
      at: directory.file("images"), withDestinationURL: outside.url)
    await #expect(throws: StorageError.self) {
      try await store().uri(of: "\(server.base)/a")
    }
    #expect(try outside.contents() == ["photo.jpg": Data("x".utf8)])
  }

  /// As if the process had ended while it wrote a file.
  @Test func incompleteFileIsReplaced() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let half = try await store().uri(of: "\(server.base)/a")
    try Data([7]).write(to: file(of: half))
    let whole = try await store().uri(of: "\(server.base)/a")
    #expect(try images().map { "resource:image/\($0)" } == [whole])
    #expect(try Data(contentsOf: file(of: whole)).count == 100)
  }

  @Test func filesAreForTheirOwnerAlone() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let url = file(of: try await store().uri(of: "\(server.base)/a"))
    let mode = { (path: String) in
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(url.path) == 0o600)
    #expect(try mode(directory.file("images").path) == 0o700)
  }

  @Test func databaseInMemoryKeepsPicturesInMemory() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let database = try Database(.memory, migrations: [.pictureCache], execution: .inline)
    let store = PictureCache(
      database: database, client: NotedWaits().client(), byteLimit: 150)
    let first = try await store.uri(of: "\(server.base)/a")
    #expect(try await store.uri(of: "\(server.base)/a") == first)
    #expect(server.requests == ["/a"])
    let resource = try await store.resource(at: String(first.dropFirst("resource:".count)))
    #expect(resource?.mimeType == "image/png")
    guard case .bytes(let bytes)? = resource?.content else {
      Issue.record("no bytes")
      return
    }
    #expect(bytes == Pictures.png)
    _ = try await store.uri(of: "\(server.base)/b")
    let sizes = try await database.read { connection in
      try connection.rows("SELECT bytes FROM cached_files ORDER BY bytes") { try $0[0] as Int }
    }
    #expect(sizes == [0, 100])
  }

  @Test(arguments: [
    (LoopbackReply.json("{}"), "wrongType(\"application/json\""),
    (.status(500), "status(500"),
    (.answer(LoopbackAnswer(contentType: "image/png", body: [])), "wrongType(\"nothing\""),
    (
      .answer(LoopbackAnswer(contentType: "image/png", body: Array(Pictures.png.prefix(50)))),
      "wrongType(\"image/png\""
    ),
    (
      .answer(LoopbackAnswer(contentType: "image/png", body: Array("<html>Log in".utf8))),
      "wrongType(\"text/html\""
    ),
    (.truncated(LoopbackAnswer(contentType: "image/png", body: [1])), "truncated"),
  ])
  func failureIsNotKept(reply: LoopbackReply, reason: String) async throws {
    let orders = Faults(Array(repeating: reply, count: 3), then: png)
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let store = try store()
    while true {
      do {
        _ = try await store.uri(of: "\(server.base)/a")
        break
      } catch {
        #expect((error as? HTTPError).map { "\($0.reason)" }?.hasPrefix(reason) == true)
      }
    }
    #expect(server.requests.count == 4)
    #expect(try images().count == 1)
  }

  /// When it is requested again is up to the screen.
  @Test func missingPictureIsRequestedAgain() async throws {
    let server = try LoopbackServer { _ in .status(404) }
    defer { server.stop() }
    let store = try store()
    for count in 1...3 {
      let failure = await #expect(throws: HTTPError.self) {
        try await store.uri(of: "\(server.base)/a")
      }
      #expect(failure?.status == 404)
      #expect(server.requests.count == count)
    }
  }

  @Test func unwritableDirectoryIsAStorageFailure() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    let store = try store()
    try Data().write(to: directory.file("images"))
    await #expect(throws: StorageError.self) {
      try await store.uri(of: "\(server.base)/a")
    }
  }

  private func store(byteLimit: Int = 1000, clock: CoreClock? = nil) throws -> PictureCache {
    PictureCache(
      database: try Database(.directory(directory.url), migrations: [.pictureCache]),
      client: NotedWaits().client(clock: clock), byteLimit: byteLimit)
  }

  private func images() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.file("images").path).sorted()
  }
}

extension PictureCache {
  fileprivate func uri(of url: String) async throws -> String {
    try await uri(of: try #require(URL(string: url)))
  }
}
