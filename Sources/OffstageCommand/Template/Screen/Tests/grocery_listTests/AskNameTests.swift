import Offstage
import OffstageTesting
import Testing

@testable import grocery_list

@CoreActor
struct AskNameTests {
  @Test func confirmNeedsAName() {
    let screen = TestCore().show { AskName() }
    screen.input.confirm.send()
    #expect(screen.input.nameText.error == "This is required.")
    screen.input.nameText.send("Kim")
    #expect(screen.input.nameText.error == nil)
  }
}
