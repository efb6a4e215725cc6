import OffstageTesting
import TestSupport
import Testing

@testable import Offstage

@Suite @CoreActor struct DerivedRowsTests {
  /// Random edits of the list and of a port that the filter reads. After each turn, the derived
  /// list and the front end's copy of it are what a computation from scratch gives.
  @Test(arguments: [false, true], 1...6 as ClosedRange<UInt64>)
  func followsTheOtherList(isSorted: Bool, seed: UInt64) async {
    let core = TestCore()
    let document = Document(core)
    let screen = core.show { Shelf(isSorted: isSorted) }
    var random = SplitMix64(seed: seed)
    var lastID = 0
    func insert() {
      lastID += 1
      let book = Book(id: lastID, pages: .random(in: 0..<20, using: &random))
      screen.origin.insert(book, at: .random(in: 0...screen.origin.count, using: &random))
    }
    for _ in 0..<(seed.isMultiple(of: 2) ? 300 : 10) { insert() }
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let id = Int.random(in: 0...lastID, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<7: insert()
        case 7..<13: screen.origin.remove(id)
        case 13..<18:
          screen.origin.update(id) { $0.pages = .random(in: 0..<20, using: &random) }
        case 18..<22:
          screen.origin.move(id, to: .random(in: 0...screen.origin.count, using: &random))
        case 22: screen.input.fewest.send(.random(in: 0..<20, using: &random))
        default: if lastID.isMultiple(of: 9) { screen.origin.removeAll() }
        }
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: #expect(screen.output.books.values == screen.expected)
      case 1: #expect(screen.output.thick.values == screen.expected.filter(\.isThick))
      default: break
      }
      await document.check()
      #expect(screen.output.books.values == screen.expected)
      #expect(screen.output.thick.values == screen.expected.filter(\.isThick))
      #expect(screen.output.count.value == screen.expected.count)
    }
  }

  @Test func listThatIsNotAPortReachesItsDerivedOutputs() async {
    let core = TestCore()
    let origin = Rows<Book>()
    final class Count: Screen {
      static let kind = "count"
      struct Input: Ports {}
      struct Output: Ports { let pages = Out(0) }
      let input = Input(), output = Output(), effects = Effects()
      private let thick = Rows<Book>()
      init(_ origin: Rows<Book>) {
        thick.derive(from: origin, where: { $0.pages > 9 }, map: { $0 })
        output.pages.derive { [thick] in thick.values.reduce(0) { $0 + $1.pages } }
      }
    }
    let screen = core.show { Count(origin) }
    origin.append(Book(id: 1, pages: 15))
    origin.append(Book(id: 2, pages: 1))
    await core.turn()
    #expect(core.differences(from: "15", at: "/screens/1/output/pages") == [])
    _ = screen
  }

  /// Edits before and after `removeAll` refer to different lists.
  @Test(arguments: [false, true])
  func refillAfterRemovingAllShowsTheNewRows(isSorted: Bool) {
    let core = TestCore()
    let screen = core.show { Shelf(isSorted: isSorted) }
    for id in 1...5 { screen.origin.append(Book(id: id, pages: id)) }
    #expect(screen.output.books.count == 5)
    screen.origin.update(2) { $0.pages = 9 }
    screen.origin.removeAll()
    for id in 3...4 { screen.origin.append(Book(id: id, pages: 10 - id)) }
    #expect(screen.output.books.values == screen.expected)
  }

  @Test(arguments: [false, true])
  func editCostsOneOperation(isSorted: Bool) async {
    let core = TestCore()
    let document = Document(core)
    let screen = core.show { Shelf(isSorted: isSorted) }
    for id in 1...10_000 { screen.origin.append(Book(id: id, pages: id * 7 % 10_000)) }
    await document.check()
    for edit in [
      { $0.update(50) { $0.pages += 1 } }, { $0.remove(70) },
      { $0.insert(Book(id: 20_000, pages: 5_000), at: 5_000) }, { $0.move(90, to: 9_000) },
    ] as [@CoreActor (Rows<Book>) -> Void] {
      edit(screen.origin)
      await document.check()
      #expect(document.patch.utf8.count < 250, "\(document.patch.prefix(1_000))")
    }
  }

  @Test func endsWithItsScreen() {
    let core = TestCore()
    let origin = Rows<Book>()
    let screen = Weak(core.show { Shelf(of: origin, isSorted: true) })
    core.closeAll()
    origin.append(Book(id: 1, pages: 10))
    #expect(screen.object == nil)
  }

  /// The difference is sent, row by row.
  @Test func computedListFollowsThePortsThatItReads() async {
    let core = TestCore()
    let document = Document(core)
    let (count, pages) = (Out(3), Out(0))
    var runs = 0
    final class Books: Screen {
      static let kind = "books"
      struct Input: Ports {}
      struct Output: Ports { let books = Rows<Book>() }
      let input = Input(), output = Output(), effects = Effects()
      init(_ make: @escaping () -> [Book]) { output.books.derive(make) }
    }
    let screen = core.show {
      Books {
        runs += 1
        return (1...count.value).map { Book(id: $0, pages: pages.value + $0) }
      }
    }
    await document.check()
    runs = 0
    count.value = 4
    #expect(screen.output.books.count == 4)
    count.value = 2
    pages.value = 1
    await document.check()
    #expect(screen.output.books.values == [Book(id: 1, pages: 2), Book(id: 2, pages: 3)])
    #expect(runs == 2)
    count.value = 3
    await document.check()
    #expect(
      document.patch
        == #"[{"op":"add","path":"/screens/1/output/books/2","value":{"id":3,"pages":4}}]"#)
  }
}

struct Book: Identifiable, Codable, Equatable, Sendable {
  let id: Int
  var pages: Int
}

/// Shows the titles of the books that have enough pages.
private final class Shelf: Screen {
  struct Title: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let text: String

    var isThick: Bool { text.count > "9 pages".count }
  }

  struct Input: Ports { let fewest = Field(0) }
  struct Output: Ports {
    let books = Rows<Title>()
    let thick = Rows<Title>()
    let count = Out(0)
  }

  static let kind = "shelf"
  let input = Input()
  let output = Output()
  let effects = Effects()
  let origin: Rows<Book>
  private let isSorted: Bool

  init(of origin: Rows<Book> = Rows(), isSorted: Bool) {
    self.origin = origin
    self.isSorted = isSorted
    output.books.derive(
      from: origin, where: { [input] in $0.pages >= input.fewest.value },
      sortedBy: isSorted ? { $0.pages / 2 < $1.pages / 2 } : nil, map: Self.title)
    output.thick.derive(from: output.books, where: \.isThick) { $0 }
    output.count.derive { [output] in output.books.count }
  }

  var expected: [Title] {
    var books = origin.values.filter { $0.pages >= input.fewest.value }
    if isSorted {
      let positions = Dictionary(
        uniqueKeysWithValues: origin.values.enumerated().map { ($1.id, $0) })
      books.sort { ($0.pages / 2, positions[$0.id]!) < ($1.pages / 2, positions[$1.id]!) }
    }
    return books.map(Self.title)
  }

  private static func title(of book: Book) -> Title {
    Title(id: book.id, text: "\(book.pages) pages")
  }
}
