import Offstage
import Testing

@testable import Showcase

/// Arrays that are the same in many sessions.
@Suite @CoreActor struct SharedArraysTests {
  private let arrays = SharedArrays<Int>()

  @Test func equalArraysAreOneInMemory() {
    let first = arrays.shared(Array(1...20))
    #expect(address(of: arrays.shared(Array(1...20))) == address(of: first))
    #expect(address(of: Array(1...20)) != address(of: first))
  }

  @Test func aChangedArrayIsReturnedAsItIs() {
    _ = arrays.shared([1, 2])
    #expect(arrays.shared([1, 3]) == [1, 3])
    #expect(arrays.shared([1, 2, 3]) == [1, 2, 3])
  }

  @Test func anArrayThatIsAskedForStaysAmongManyOthers() {
    let often = arrays.shared([0])
    let once = arrays.shared([-1])
    for number in 1...100 {
      _ = arrays.shared([number])
      #expect(address(of: arrays.shared([0])) == address(of: often))
    }
    #expect(address(of: arrays.shared([-1])) != address(of: once))
  }

  private func address(of array: [Int]) -> UnsafePointer<Int>? {
    array.withUnsafeBufferPointer(\.baseAddress)
  }
}
