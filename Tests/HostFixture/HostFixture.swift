import Offstage
import OffstageHost
import OffstageLive
import OffstagePostgreSQL
import OffstageSystem

/// A small app for tests of the process: it prints, reads, and waits.
@main
enum HostFixture {
  static func main() {
    Program(
      "host-fixture", version: "1.0", options: [database, next, chatter, witness, server],
      commands: [count, fail, data, wait, sleep],
      sharing: { environment in
        try environment["database"].map {
          StoredSessions(try Database(ServerAddress($0), migrations: [.sessions]))
        }
      },
      keepingSessionsIn: { $0 }
    ) { environment, _ in
      if environment["chatter"] != nil { Stray.chat() }
      return App(
        root: .stack(Route(Typed.self)),
        resources: environment["witness"] == nil ? nil : Witness().resource,
        screens: [
          ScreenFactory(Typed.self) { _ in Typed() },
          ScreenFactory(Stuck.self) { _ in Stuck() },
          ScreenFactory(Noisy.self) { _ in Noisy() },
          ScreenFactory(Busy.self) { _ in Busy() },
          ScreenFactory(Bulk.self) { argument, _ in Bulk(argument) },
          ScreenFactory(Endless.self) { _ in Endless() },
          ScreenFactory(Saver.self) { argument, _ in Saver(argument) },
          ScreenFactory(SignIn.self) { _ in SignIn() },
          ScreenFactory(Shelf.self) { _ in Shelf() },
          ScreenFactory(Notebook.self) { argument, _ in try Notebook(argument) },
          environment["next"] == nil
            ? ScreenFactory(Room.self) { argument, _ in Room(argument) }
            : ScreenFactory(UpdatedRoom.self) { argument, _ in UpdatedRoom(argument) },
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

  private static let data = Command("data", help: "print the data directory") {
    environment, _, console in console.print(try environment.dataDirectory)
  }

  private static let wait = Command(
    "wait for", arguments: ["PIPE"], help: "block until a line comes from a named pipe"
  ) { _, words, _ in
    print("waiting")
    fflush(nil)
    _ = Gate(path: words[0]).line()
  }

  private static let sleep = Command(
    "sleep", arguments: ["MILLISECONDS"], help: "sleep on the clock of the app"
  ) { environment, words, console in
    let start = environment.clock.now
    let time = Duration.milliseconds(Int(words[0]) ?? 0)
    try await environment.clock.sleep(for: time)
    console.print("slept: \(environment.clock.now - start >= time)")
  }

  private struct Failure: Error, CustomStringConvertible { let description = "it went wrong" }

  private static let server = Option(
    "server", .url, isAllowedInTranscripts: true, help: "an address that is not used")
  private static let database = Option(
    "database", .text("URL"), help: "keep the sessions of a host in PostgreSQL")
  private static let next = Option("next", help: "be the version after an update, with other ports")
  private static let witness = Option("witness", help: "say when the app is released")
  private static let chatter = Option("chatter", help: "print and read while the app is composed")
}

/// A screen whose input changes two outputs, which it keeps.
final class Typed: Screen {
  static let kind = "typed"

  struct Input: Ports {
    let text = In<String>()
  }

  struct Output: Ports {
    let text = Out("", .kept)
    let count = Out(0, .kept)
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

/// A screen that never finishes loading.
final class Stuck: Screen {
  static let kind = "stuck"

  struct Input: Ports {
    let text = In<String>()
  }

  struct Output: Ports {
    let text = Out("", .kept)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    output.text.bind(input.text)
    effects.run { try await Task.sleep(for: .seconds(86_400)) }
  }
}

/// A screen whose work always has a next step.
final class Endless: Screen {
  static let kind = "endless"

  struct Input: Ports {
    let start = In<Trigger>()
    let stop = In<Trigger>()
  }

  struct Output: Ports {
    let steps = Out(0)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private lazy var work = effects.task(.keepFirst)

  init() {
    input.start.observe { [output, work] in
      work.run {
        while !Task.isCancelled {
          output.steps.value += 1
          await Task.yield()
        }
      }
    }
    input.stop.observe { [work] in work.cancel() }
  }
}

/// A screen with an output of any size.
final class Bulk: Screen {
  static let kind = "bulk"

  struct Argument: Codable, Sendable {
    /// The initial size of the output in bytes.
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

/// A screen that prints to standard output and reads standard input.
final class Noisy: Screen {
  static let kind = "noisy"

  struct Input: Ports {
    let printTapped = In<String>()
    let readTapped = In<Trigger>()
    /// Reads the environment variable with this name.
    let variableTapped = In<String>()
    /// Prints this many lines from another thread.
    let chatTapped = In<Int>()
  }

  struct Output: Ports {
    let printed = Out(0)
    /// The result of `readLine`.
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
    input.variableTapped.observe { [output] name in
      output.heard.value = getenv(name).map { String(cString: $0) }
    }
    input.chatTapped.observe { [output, effects] count in
      output.isChatting.value = true
      effects.run {
        await Stray.chat(lines: count)
        output.isChatting.value = false
      }
    }
  }
}

/// Lives as long as the app.
private final class Witness: Sendable {
  func resource(at path: String) -> Resource? { nil }

  deinit {
    let text = Array("released\n".utf8)
    write(2, text, text.count)
  }
}

/// Stray output.
enum Stray {
  /// Prints more than a buffer holds, and reads the input.
  static func chat() {
    for number in 1...1000 { print("chatter \(number)") }
    print("chatter read \(readLine() ?? "nothing")")
  }

  /// Prints lines from a separate thread, each flushed at once.
  static func chat(lines: Int) async {
    await Task.detached {
      for number in 0..<lines {
        print("stray \(number)")
        fflush(nil)
      }
    }.value
  }
}
