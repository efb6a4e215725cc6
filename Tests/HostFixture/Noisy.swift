import Offstage

/// A screen that was never told that standard input and output are not its own.
final class Noisy: Screen {
  static let kind = "noisy"

  struct Input: Ports {
    let printTapped = In<String>()
    let readTapped = In<Trigger>()
    /// Prints this many lines from another thread.
    let chatTapped = In<Int>()
  }

  struct Output: Ports {
    let printed = Out(0)
    /// What `readLine` found.
    let heard = Out<String?>("nothing yet")
    let isChatting = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    input.printTapped.observe { [output] text in
      print(text)
      output.printed.value += 1
    }
    input.readTapped.observe { [output] in output.heard.value = readLine() }
    input.chatTapped.observe { [output, effects] count in
      output.isChatting.value = true
      effects.run("chat") {
        await Stray.chat(lines: count)
        output.isChatting.value = false
      }
    }
  }
}
