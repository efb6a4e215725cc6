import Offstage
import OffstageHost

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
    console.say("counted to \(words[0]), chatter: \(environment["chatter"] != nil)")
  }

  private static let fail = Command("fail", help: "go wrong") { _, _, console in
    console.say("about to fail")
    throw Failure()
  }

  private struct Failure: Error, CustomStringConvertible { let description = "it went wrong" }

  private static let chatter = Option("chatter", help: "print and read while the app is composed")
}
