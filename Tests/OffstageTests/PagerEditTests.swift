import Offstage
import OffstageTesting
import Testing

/// A server whose list of notes the test edits together with the pager.
@Suite @CoreActor struct PagerEditTests {
  struct Note: Identifiable, Sendable, Equatable {
    let id: Int
    var text = ""
  }

  /// The ways in which a repository finds a page.
  enum Paging: CaseIterable {
    case page, offset, cursor
  }

  @CoreActor
  final class Server {
    var notes = (1...35).map { Note(id: $0) }
    var requests = 0

    func page(
      _ request: Pager<Empty, Note>.Request, _ paging: Paging
    ) -> Offstage.Page<Note> {
      requests += 1
      let start =
        switch paging {
        case .page: request.page * 10
        case .offset: request.offset
        case .cursor:
          notes.firstIndex { $0.id > (request.cursor.flatMap { Int($0) } ?? 0) } ?? notes.count
        }
      let found = Array(notes.dropFirst(start).prefix(10))
      if paging == .cursor {
        return Offstage.Page(found, cursor: found.count < 10 ? nil : found.last.map { "\($0.id)" })
      }
      return Offstage.Page(found, hasMore: start + 10 < notes.count)
    }
  }

  private let core = TestCore()
  private let server = Server()

  private func pager(_ paging: Paging) -> Pager<Empty, Note> {
    var pager: Pager<Empty, Note>!
    _ = core.show {
      Probe { screen in
        pager = Pager(screen.effects) { [server] in
          let page = server.page($0, paging)
          await Task.yield()
          return page
        }
      }
    }
    return pager
  }

  @Test(arguments: Paging.allCases, [[3], [1, 2, 11, 35], Array(1...12), Array(1...20)])
  func removedItemsLeaveNoGap(_ paging: Paging, removed: [Int]) async {
    let pager = pager(paging)
    for _ in 1...2 { await load { pager.loadNext() } }
    for id in removed {
      server.notes.removeAll { $0.id == id }
      pager.remove(id)
    }
    await loadAll(pager)
    #expect(pager.items == server.notes)
  }

  @Test func removedItemStaysAwayWhileItIsDeleted() async {
    let pager = pager(.page)
    await load { pager.loadNext() }
    pager.remove(5)
    await load { pager.loadNext() }
    #expect(!pager.items.contains { $0.id == 5 })
    pager.insert(Note(id: 5), at: 4)
    await loadAll(pager)
    #expect(pager.items == server.notes)
    await load { pager.startOver() }
    #expect(pager.items == Array(server.notes.prefix(10)))
  }

  @Test(arguments: Paging.allCases, [3, 10])
  func insertedItemsComeOnce(_ paging: Paging, count: Int) async {
    let pager = pager(paging)
    for _ in 1...2 { await load { pager.loadNext() } }
    for id in (1...count).map({ 1 - $0 }) {
      server.notes.insert(Note(id: id), at: 0)
      pager.insert(Note(id: id), at: 0)
    }
    let known = pager.items.count
    await load { pager.loadNext() }
    #expect(pager.items.count > known)
    await loadAll(pager)
    #expect(pager.items == server.notes)
  }

  /// The page under way may have been read before the edit.
  @Test(arguments: Paging.allCases)
  func editRepeatsThePageThatIsLoading(_ paging: Paging) async {
    let pager = pager(paging)
    await load { pager.loadNext() }
    await load {
      pager.loadNext()
      server.notes.removeFirst()
      pager.remove(1)
    }
    await loadAll(pager)
    #expect(pager.items == server.notes)
  }

  @Test func editOfALoadedListLoadsNothing() async {
    let pager = pager(.page)
    await load { pager.loadNext() }
    pager.arrivals.observe { _ in pager.remove(11) }
    await load { pager.loadNext() }
    pager.update(2) { $0.text = "new" }
    await core.settle()
    #expect(server.requests == 2)
    #expect(pager.items[1].text == "new")
    #expect(pager.items.count == 19)
  }

  private func load(_ action: () -> Void) async {
    action()
    await core.settle()
  }

  private func loadAll(_ pager: Pager<Empty, Note>) async {
    for _ in 1...9 { await load { pager.loadNext() } }
    #expect(!pager.hasMore)
  }
}
