import Offstage

/// The cheapest screen there is: each input changes two outputs.
final class Typed: Screen {
  static let kind = "typed"

  struct Input: Ports {
    let text = In<String>()
  }

  struct Output: Ports {
    let text = Out("")
    let count = Out(0)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    input.text.observe { [output] text in
      output.text.value = text
      output.count.value += 1
    }
  }
}
