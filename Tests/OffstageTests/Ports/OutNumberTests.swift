import Offstage
import OffstageTesting
import Testing

/// A number that is none is written as null, and setting it again says nothing.
@Suite @CoreActor struct OutNumberTests {
  @Test func noNumberIsTheSameAsNoNumber() {
    let number = Out(1.0)
    var heard = 0
    number.observe { _ in heard += 1 }
    number.value = .nan
    number.value = .nan
    #expect(heard == 2)
    number.value = 0
    #expect(heard == 3)
  }
}
