import Offstage
// No name of a front end stands for something of an app, too.
import OffstageClient
import OffstageHost

/// A screen whose parts count how often they appear and disappear.
final class Bookcase: Screen {
  static let kind = "bookcase"

  struct Input: Ports {
    let header = In<Bool>()
    let books = In<[String]>()
  }

  struct Output: Ports {
    let header = Child<Book>()
    let books = Children<Book>()
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    input.header.observe { [output] isShown in
      if isShown { output.header.show { Book("header") } } else { output.header.remove() }
    }
    input.books.observe { [self] in show($0) }
    show(["a/b"])
  }

  private func show(_ ids: [String]) {
    output.books.reset(to: ids.map { Volume(id: $0) }) { Book($0.id) }
  }

  nonisolated static let program = Program("bookcase", version: "1.0") { _ in
    let tabs = ["a", "b"].map { Tab($0, title: $0, icon: $0, Route(Bookcase.self)) }
    return App(root: .tabs(tabs), screens: [ScreenFactory(Bookcase.self) { _ in Bookcase() }])
  }
}

private struct Volume: Identifiable { let id: String }

final class Book: Part, Identifiable {
  struct Input: Ports {
    let didAppear = In<Trigger>()
    let didDisappear = In<Trigger>()
    let hasNote = In<Bool>()
    let titleText = Field("")
    let reachedEnd = In<Trigger>()
  }

  struct Output: Ports {
    let appeared = Out(0)
    let disappeared = Out(0)
    let notes = Children<Book>()
    let ended = Out(0)
  }

  let input = Input(), output = Output(), effects = Effects()
  let id: String

  init(_ id: String) {
    self.id = id
    input.didAppear.observe { [output] in output.appeared.value += 1 }
    input.didDisappear.observe { [output] in output.disappeared.value += 1 }
    input.reachedEnd.observe { [output] in output.ended.value += 1 }
    input.hasNote.observe { [output] in if $0 { output.notes.append { Book("note") } } }
  }
}
