import Offstage

/// A list, and a form that adds to it.
final class Home: Screen {
  static let kind = "home"

  struct Input: Ports {
    let titleText = Field("", .required, .length(...40))
    let add = In<Trigger>()
  }

  struct Output: Ports {
    let items = Rows<Item>()
    let isAdding = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(store: any ItemStore) {
    let adding = effects.task(.keepFirst)
    effects.run { [output] in output.items.reset(to: try await store.items()) }
    output.isAdding.bind(adding.activity)
    input.add.observe { [self] in
      guard input.titleText.validate() else { return }
      adding.run { [self] in
        output.items.append(try await store.add(input.titleText.value))
        input.titleText.reset(to: "")
      } catch: { [input] error in
        input.titleText.error = "\(error)"
      }
    }
  }
}
