import Offstage
import OffstageHost

@main enum GroceryListApp {
  static let program = Program("grocery_list", version: "1.0") { _ in
    var dependencies = Dependencies()
    dependencies.set(.items, to: MemoryStore())
    return App(
      root: .stack(Route(Home.self)),
      dependencies: dependencies,
      screens: [
        ScreenFactory(Home.self) { Home(store: try $0[.items]) }
      ])
  }

  static func main() { program.run() }
}
