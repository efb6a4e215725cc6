import Offstage
import OffstageHost

/// A screen with a header and a list of lines, each with its own ports.
final class Cart: Screen {
  static let kind = "cart"

  struct Product: Identifiable {
    let id: String
    let price: Int
  }

  struct Input: Ports {
    let show = In<[String]>()
    let signIn = In<String?>()
    let lineTapped = In<String>()
    let another = In<Trigger>()
  }

  struct Output: Ports {
    let header = Child<Header>()
    let lines = Children<CartLine>()
    let total = Out(0)
  }

  typealias Result = String
  let input = Input(), output = Output(), effects = Effects()
  private let router = Router()

  init() {
    input.another.observe { [router] in router.push(Cart.self, Empty()) }
    output.total.derive { [output] in
      output.lines.values.reduce(0) { $0 + $1.output.cost.value }
    }
    input.signIn.observe { [output] name in
      if let name { output.header.show { Header(name) } } else { output.header.remove() }
    }
    input.show.observe { [self] in show($0) }
    show(["milk", "a/b"])
  }

  private func show(_ ids: [String]) {
    output.lines.reset(to: ids.map { Product(id: $0, price: $0.count) }) { [self] product in
      let line = CartLine(product)
      line.input.remove.observe { [output] in output.lines.remove(product.id) }
      line.input.buy.observe { [self] in
        output.lines.remove(product.id)
        finish(product.id)
      }
      return line
    }
  }

  nonisolated static let program = Program("cart", version: "1.0") { _ in
    App(
      root: .stack(Route(Cart.self)),
      labels: { key, _ in key == "CartLine.add" ? "One more" : nil },
      screens: [ScreenFactory(Cart.self) { _ in Cart() }])
  }
}

/// The user, with a clock.
final class Header: Part {
  struct Input: Ports { let refresh = In<Trigger>() }

  struct Output: Ports {
    let name = Out("")
    let seconds = Out(0)
    let refreshed = Event<String>()
  }

  let input = Input(), output = Output(), effects = Effects()

  init(_ name: String) {
    output.name.value = name
    effects.every(.seconds(1)) { [output] in output.seconds.value += 1 }
    input.refresh.observe { [output] in output.refreshed.send(name) }
  }
}

/// A product with a quantity and notes.
final class CartLine: Part, Identifiable {
  struct Input: Ports {
    let countText = Field("1", .matches("^[0-9]+$", "A number."))
    let add = In<Trigger>()
    let save = In<Trigger>()
    let note = In<Int>()
    let remove = In<Trigger>()
    /// Removes the line, and closes its screen.
    let buy = In<Trigger>()
  }

  struct Output: Ports {
    let cost = Out(0)
    let isSaving = Out(false)
    let canAdd = Out(true)
    let notes = Children<Note>()
  }

  let input = Input(), output = Output(), effects = Effects()
  let id: String

  init(_ product: Cart.Product) {
    id = product.id
    output.cost.derive { [input] in (Int(input.countText.value) ?? 0) * product.price }
    let save = effects.task()
    output.isSaving.bind(save.activity)
    output.canAdd.derive { [output] in output.cost.value < 100 }
    input.add.observe { [input] in
      input.countText.value = "\((Int(input.countText.value) ?? 0) + 1)"
    }
    input.save.observe { [self] in
      save.run { [self] in
        try await effects.sleep(for: .seconds(1))
        input.countText.error = "Sold out."
      }
    }
    input.note.observe { [output] number in output.notes.append { Note(id: number) } }
  }
}

/// A text in a list of texts in a list.
final class Note: Part, Identifiable {
  struct Input: Ports { let text = In<String>() }
  struct Output: Ports { let text = Out("") }
  let input = Input(), output = Output(), effects = Effects()
  let id: Int

  init(id: Int) {
    self.id = id
    output.text.bind(input.text)
  }
}
