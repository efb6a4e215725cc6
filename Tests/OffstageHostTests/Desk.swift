import Offstage
import OffstageHost
import OffstageJSON

/// A screen whose inputs act at once, later, or never.
final class Desk: Screen {
  static let kind = "desk"

  struct Place: Codable, Equatable, Sendable { var lat: Double, lon: Double? }
  struct Item: Codable, Equatable, Identifiable, Sendable { let id: String }

  struct Input: Ports {
    let text = In<String?>()
    let place = In<Place>()
    let tell = In<Int>()
    let echo = In<String>()
    let items = In<Int>()
    let push = In<Trigger>()
    let sheet = In<Trigger>()
    let modal = In<Trigger>()
    let finish = In<Int>()
    let ask = In<Trigger>()
    let wait = In<Int>()
    let queue = In<[Int]>()
    let work = In<Int>()
    let hold = In<Trigger>()
    let release = In<Trigger>()
    let tick = In<Int>()
    let fail = In<Trigger>()
    let search = In<String>()
    let note = In<String>()
  }

  struct Output: Ports {
    let text = Out("")
    let count = Out(0)
    let found = Out("")
    let place = Out<Place?>(nil)
    let items = Rows<Item>()
    let told = Event<Int>()
    let echoed = Event<String>()
  }

  typealias Result = Int
  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()
  private let log = Log()
  private var lastWait = 0
  private var held: [AsyncStream<Void>.Continuation] = []
  private lazy var asking = effects.task(name: "ask")
  private lazy var waiting = effects.task(name: "wait")
  private lazy var queued = effects.task(.queue, name: "queue")
  private lazy var working = effects.task(name: "work")

  init() {
    output.text.bind(input.text.map { $0 ?? "" })
    output.place.bind(input.place.map(Optional.some))
    output.found.bind(input.search.debounce(.milliseconds(300)))
    input.tell.observe { self.output.told.send($0) }
    input.echo.observe { self.output.echoed.send($0) }
    input.items.observe { count in
      self.output.items.reset(to: (0..<count).map { Item(id: "\($0)") })
    }
    input.push.observe { self.router.push(Desk.self, Empty()) }
    input.sheet.observe { self.router.present(Desk.self, Empty()) }
    input.modal.observe { self.router.present(Desk.self, as: .modal) }
    input.finish.observe { self.finish($0) }
    input.ask.observe { self.ask() }
    input.wait.observe { self.wait($0) }
    input.queue.observe { delays in for delay in delays { self.queue(delay) } }
    input.work.observe { self.work($0) }
    input.hold.observe { self.hold() }
    input.release.observe {
      for each in self.held { each.finish() }
      self.held = []
    }
    input.tick.observe { milliseconds in
      self.effects.every(.milliseconds(milliseconds)) { self.output.count.value += 1 }
    }
    input.note.observe { [log] in
      log.info($0)
      log.debug($0)
    }
    input.fail.observe { self.effects.run { throw Failure() } }
  }

  struct Failure: Error {}

  /// Asks for the user's location.
  private func ask() {
    asking.run {
      self.output.place.value = try await self.effects.ask(Prompt<Place>("location"))
    } catch: {
      self.output.text.value = "\($0)"
    }
  }

  /// Counts after a delay.
  private func wait(_ milliseconds: Int) {
    lastWait += 1
    waiting[lastWait].run {
      try await self.effects.sleep(for: .milliseconds(milliseconds))
      self.output.count.value += 1
    }
  }

  private func queue(_ milliseconds: Int) {
    queued.run {
      self.output.count.value += 1
      try await self.effects.sleep(for: .milliseconds(milliseconds))
    }
  }

  /// Yields some turns, then counts.
  private func work(_ turns: Int) {
    working.run {
      for _ in 0..<turns { await Task.yield() }
      self.output.count.value += 1
    }
  }

  /// Is busy until it is released, then counts.
  private func hold() {
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    held.append(release)
    lastWait += 1
    waiting[lastWait].run {
      for await _ in released {}
      try Task.checkCancellation()
      self.output.count.value += 1
    }
  }

  static func description() throws -> JSON {
    try OpenRPC.document(of: program.makeSession(["--deterministic"]).core.app, program.info)
  }

  nonisolated static let program = Program(
    "desks", version: "1.2",
    options: [Option("title", .text("TEXT"), help: "the first tab's title")]
  ) { environment in
    App(
      root: .tabs([
        Tab("a", title: environment["title"] ?? "A", icon: "a", Route(Desk.self)),
        Tab("b", title: "B", icon: "b", Route(Desk.self)),
      ]),
      scope: ScreenFactory(Office.self) { _ in Office() }, resources: Drawer.resource,
      links: [
        Link("app://b/desk", tab: "b", to: Desk.self) { _ in
          // Another argument than that of the root.
          [Route(kind: Desk.kind, argument: ["of": "link"])]
        },
        Link("app://broken") { _ in [Route(Broken.self, .init())] },
      ],
      prompts: [PromptDescription("location", answer: Place.self)],
      screens: [
        ScreenFactory(Desk.self) { _ in Desk() },
        ScreenFactory(Broken.self) { _, _ in throw Failure() },
      ])
  }
}

/// A screen whose factory fails.
final class Broken: Screen {
  static let kind = "broken"
  struct Argument: Codable, Sendable { var id: Int? }
  struct Input: Ports {}
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
}

/// The scope of the desks.
final class Office: Scope {
  struct Input: Ports {
    let badge = In<String?>()
    let open = In<Bool>()
  }

  struct Output: Ports {
    let isOpen = Out(true)
    let rang = Event<Int>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    Display().bindBadge(of: "b", to: input.badge)
    input.open.observe { [self] in
      output.isOpen.value = $0
      output.rang.send(1)
    }
  }

  func mayOpen(_ link: Link) -> Bool { output.isOpen.value }
}

/// The resources of the desks.
enum Drawer {
  static let file = #filePath

  static func resource(at path: String) -> Resource? {
    switch path {
    case "note": Resource(mimeType: "text/plain", .bytes(Array("Hello".utf8)))
    case "empty": Resource(mimeType: "text/plain", .bytes([]))
    case "this": Resource(mimeType: "text/x-swift", .file(path: Self.file))
    case "lost": Resource(mimeType: "text/plain", .file(path: "/nowhere"))
    case "directory": Resource(mimeType: "text/plain", .file(path: "/"))
    case "huge": Resource(mimeType: "text/plain", .bytes(Array(repeating: 97, count: 5 << 20)))
    default: nil
    }
  }
}
