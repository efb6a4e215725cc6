import Offstage

/// A screen that loads its books once it appears, and lends one of them.
final class Shelf: Screen {
  static let kind = "shelf"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let bookTapped = In<String>()
  }

  struct Output: Ports {
    let books = Out<[String]>([])
    let lent = Out("", .kept)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    input.didAppear.observe { [effects, output] in
      effects.run {
        try await Task.sleep(for: .milliseconds(100))
        output.books.value = ["Dune", "Emma"]
      }
    }
    input.bookTapped.observe { [output] in
      if output.books.value.contains($0) { output.lent.value = $0 }
    }
  }
}
