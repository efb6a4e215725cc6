import Offstage

/// A screen that loads its books once it appears, and lends one of them until the user agrees to return
/// it.
final class Shelf: Screen {
  static let kind = "shelf"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let bookTapped = In<String>()
    let returnTapped = In<Trigger>()
  }

  struct Output: Ports {
    let books = Out<[String]>([])
    let lent = Out("", .kept)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private lazy var returning = effects.task()

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
    input.returnTapped.observe { [self] in askToReturn() }
    returning.onRestart("returning") { [self] in askToReturn() }
  }

  private func askToReturn() {
    returning.run { [effects, output] in
      _ = try await effects.ask(.alert(Dialog("Return \(output.lent.value)?")))
      output.lent.value = ""
    }
  }
}
