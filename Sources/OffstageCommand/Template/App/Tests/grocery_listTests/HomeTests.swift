import Offstage
import OffstageTesting
import Testing

@testable import grocery_list

@CoreActor
struct HomeTests {
  @Test func addingClearsTheField() async {
    let core = TestCore()
    let home = core.show { Home(store: MemoryStore()) }
    home.input.titleText.send("Milk")
    home.input.add.send()
    await core.settle()
    #expect(home.output.items.values.map(\.title) == ["Milk"])
    #expect(home.input.titleText.value == "")
    #expect(core.faults == [])
  }

  @Test func titleIsChecked() {
    let home = TestCore().show { Home(store: MemoryStore()) }
    home.input.add.send()
    #expect(home.input.titleText.error == "This is required.")
    home.input.titleText.send(String(repeating: "a", count: 41))
    #expect(home.input.titleText.error == "Enter at most 40 characters.")
  }

  @Test func errorOfTheStoreIsShownBesideTheField() async {
    let core = TestCore()
    let home = core.show { Home(store: BrokenStore()) }
    home.input.titleText.send("Milk")
    home.input.add.send()
    await core.settle()
    #expect(home.input.titleText.error == "The disk is full.")
    #expect(home.input.titleText.value == "Milk")
  }
}

struct BrokenStore: ItemStore {
  func items() -> [Item] { [] }
  func add(_ title: String) throws -> Item { throw ItemError(description: "The disk is full.") }
}
