import OffstageClient
import OffstageHost
import Testing

/// Screens and their parts by what they have in common.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct PartTests {
  @Test func partHasItsOwnPortsAndFields() async throws {
    let core = RemoteCore {
      let embedded = try await EmbeddedCore(Bookcase.program, arguments: ["--deterministic"])
      return LineTransport(send: embedded.send, receive: embedded.receive, stop: embedded.stop)
    }
    try await core.start()
    let screen = try #require(core.document.visible.first)
    let app = try #require(core.description)
    func bookcase() -> RemotePart { RemotePart(screen, app) }
    #expect(bookcase().parts(of: "header").isEmpty && bookcase().parts(of: "no").isEmpty)
    let book = try #require(bookcase().parts(of: "books").first)
    #expect(book.path == "books/a~1b/" && book["id"] == "a/b")
    #expect(book.description.inputs.contains { $0.name == "titleText" })

    let title = book.field("titleText")
    title.value = "Dune"
    #expect(title.value == "Dune" && title.isPending)
    try await core.settle()
    #expect(title.value == "Dune" && !title.isPending)
    #expect(screen["books"][0]["fields"]["titleText"]["value"] == "Dune")

    book.send("hasNote", true)
    bookcase().send("header", true)
    try await core.settle()
    let note = try #require(bookcase().part(at: "books/a~1b/notes/note/"))
    #expect(note["id"] == "note" && note.field("titleText").value == "")
    #expect(bookcase().parts(of: "header").map(\.path) == ["header/"])
    #expect(bookcase().part(at: "books/no/") == nil && bookcase().part(at: "")?.path == "")
    await core.close()
  }
}
