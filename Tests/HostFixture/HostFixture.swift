import Offstage
import OffstageHost
import OffstageSystem

/// A tiny app with the habits that only a process shows: it prints, it reads, it waits for others.
@main
enum HostFixture {
  static func main() {
    Program("host-fixture", version: "1.0", options: [chatter], commands: [count, fail]) {
      environment in
      if environment["chatter"] != nil { Stray.chat() }
      return App(
        root: .stack(Route(Typed.self)),
        screens: [
          ScreenFactory(Typed.self) { _ in Typed() },
          ScreenFactory(Noisy.self) { _ in Noisy() },
          ScreenFactory(Busy.self) { _ in Busy() },
          ScreenFactory(Bulk.self) { argument, _ in Bulk(argument) },
        ])
    }.run()
  }

  private static let count = Command(
    "count to", arguments: ["NUMBER"], help: "count, and show how far it is"
  ) { environment, words, console in
    for number in 1...(Int(words[0]) ?? 1) {
      await Task.yield()
      console.show(progress: 1 / Double(number))
    }
    console.print("counted to \(words[0]), chatter: \(environment["chatter"] != nil)")
  }

  private static let fail = Command("fail", help: "go wrong") { _, _, console in
    console.print("about to fail")
    throw Failure()
  }

  private struct Failure: Error, CustomStringConvertible { let description = "it went wrong" }

  private static let chatter = Option("chatter", help: "print and read while the app is composed")
}

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

/// A screen that says as much at once as one asks for.
final class Bulk: Screen {
  static let kind = "bulk"

  struct Argument: Codable, Sendable {
    /// How many bytes are said at the start.
    let size: Int
  }

  struct Input: Ports {
    let sizeChosen = In<Int>()
  }

  struct Output: Ports {
    let text = Out("")
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ argument: Argument) {
    output.text.value = Self.text(argument.size)
    input.sizeChosen.observe { [output] size in output.text.value = Self.text(size) }
  }

  private static func text(_ size: Int) -> String { String(repeating: "x", count: max(size, 0)) }
}

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

/// Output that nobody asked for.
enum Stray {
  /// Prints more than a buffer holds, and helps itself to the input.
  static func chat() {
    for number in 1...1000 { print("chatter \(number)") }
    print("chatter read \(readLine() ?? "nothing")")
  }

  /// Prints lines from a thread of its own, each flushed at once.
  static func chat(lines: Int) async {
    await Task.detached {
      for number in 0..<lines {
        print("stray \(number)")
        fflush(nil)
      }
    }.value
  }
}
