import OffstageClient
import OffstageHost
import Testing

/// The lifecycle inputs of parts of screens.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct LifecycleTests {
  private func core() async throws -> RemoteCore {
    let core = RemoteCore {
      let embedded = try await EmbeddedCore(Bookcase.program, arguments: ["--deterministic"])
      return LineTransport(send: embedded.send, receive: embedded.receive, stop: embedded.stop)
    }
    try await core.start()
    try await core.settle()
    return core
  }

  /// The number of times that a part appeared and disappeared.
  private func counts(_ part: Value?) -> [Int?] {
    [part?["appeared"].int, part?["disappeared"].int]
  }

  @Test func partAppearsWithItsScreenAndDisappearsWithIt() async throws {
    let core = try await core()
    let bookcase = try #require(core.document.visible.first)
    #expect(counts(bookcase["books"][0]) == [1, 0])
    try await core.selectTab("b")
    try await core.settle()
    #expect(counts(bookcase["books"][0]) == [1, 1])
    try await core.selectTab("a")
    try await core.settle()
    #expect(counts(bookcase["books"][0]) == [2, 1])
    await core.close()
  }

  @Test func partThatIsAddedAppears() async throws {
    let core = try await core()
    let bookcase = try #require(core.document.visible.first)
    try await bookcase.input("header", true)
    try await bookcase.input("books/a~1b/hasNote", true)
    try await core.settle()
    #expect(counts(bookcase["header"]) == [1, 0])
    #expect(counts(bookcase["books"][0]["notes"][0]) == [1, 0])
    #expect(counts(bookcase["books"][0]) == [1, 0])
    await core.close()
  }

  @Test func endOfAListOfAPartIsSentOncePerLength() async throws {
    let core = try await core()
    let bookcase = try #require(core.document.visible.first)
    for _ in 1...2 { bookcase.showedEnd(of: "books/a~1b/notes") }
    try await core.settle()
    #expect(bookcase["books"][0]["ended"] == 1)
    try await bookcase.input("books/a~1b/hasNote", true)
    bookcase.showedEnd(of: "books/a~1b/notes")
    try await core.settle()
    #expect(bookcase["books"][0]["ended"] == 2)
    // Neither the screen nor its list has such an input.
    bookcase.showedEnd(of: "books")
    bookcase.showedEnd(of: "books/no/notes")
    try await core.settle()
    #expect(core.problem == nil)
    await core.close()
  }

  @Test func partThatMovesOrIsRemovedGetsNothing() async throws {
    let core = try await core()
    let bookcase = try #require(core.document.visible.first)
    try await bookcase.input("books", ["c", "a/b"])
    try await core.settle()
    #expect(counts(bookcase["books"][0]) == [1, 0])
    #expect(counts(bookcase["books"][1]) == [1, 0])
    try await bookcase.input("books", ["c"])
    try await core.settle()
    #expect(counts(bookcase["books"][0]) == [1, 0])
    // An input to the removed part would be refused.
    #expect(core.problem == nil)
    await core.close()
  }
}
