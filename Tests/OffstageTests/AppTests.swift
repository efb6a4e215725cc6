import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

extension Dependencies.Key<Int> {
  fileprivate static let count = Self("count")
}

extension Dependencies.Key<String> {
  fileprivate static let greeting = Self("greeting")
  fileprivate static let countAsText = Self("count")
}

extension Dependencies.Key<String?> {
  fileprivate static let motto = Self("motto")
}

@Suite struct DependenciesTests {
  @Test func returnsTheLastValueSet() throws {
    var dependencies = Dependencies()
    dependencies.set(.count, to: 1)
    dependencies.set(.greeting, to: "hello")
    let before = dependencies
    dependencies.set(.count, to: 2)
    #expect(try dependencies[.count] == 2)
    #expect(try dependencies[.greeting] == "hello")
    #expect(try before[.count] == 1)
  }

  @Test func errorNamesTheUnsetKey() throws {
    var dependencies = Dependencies()
    #expect(throws: DependencyError(key: "count")) { try dependencies[.count] }
    dependencies.set(.countAsText, to: "1")
    #expect(throws: DependencyError(key: "count")) { try dependencies[.count] }
    #expect(throws: DependencyError(key: "motto")) { try dependencies[.motto] }
    dependencies.set(.motto, to: nil)
    let motto = try dependencies[.motto]
    #expect(motto == nil)
    #expect("\(DependencyError(key: "count"))".hasPrefix("The dependency \"count\" is not set."))
  }

  @Test @CoreActor func missingDependencyShowsNoScreen() async throws {
    let core = TestCore(
      App(
        root: .stack(Route(Probe.self)),
        screens: [
          ScreenFactory(Probe.self) { dependencies in
            _ = try dependencies[.greeting]
            return Probe()
          }
        ]))
    #expect(throws: DependencyError(key: "greeting")) { try core.start() }
    #expect(core.kinds == [])
  }
}

@Suite struct LinkTests {
  @Test(arguments: [
    ("app://pokedex", "app://pokedex", [:]),
    ("app://pokedex/", "app://pokedex", [:]),
    ("app://pokedex", "app://pokedex/", [:]),
    ("app://pokedex/:id", "app://pokedex/25", ["id": "25"]),
    ("app://pokedex/:id", "app://pokedex/25?tab=1#x", ["id": "25"]),
    ("app://pokedex/:id", "app://pokedex/25?a/b/c", ["id": "25"]),
    ("app://:kind/:id", "app://a/b", ["kind": "a", "id": "b"]),
    ("app://map/:q", "app://map/caf%C3%A9%20%2f%3F", ["q": "café /?"]),
    ("app://map/:q", "app://map/a+b", ["q": "a+b"]),
    ("app://map/:q/end", "app://map/:q/end", ["q": ":q"]),
    ("app://caf\u{E9}/a b", "app://caf%C3%A9/a%20b", [:]),
    ("app://a%20b", "app://a%20b", [:]),
    ("app://map/:q", "app://map/\u{301}x?\u{301}y", ["q": "\u{301}x"]),
  ])
  func urlMatchesItsPattern(pattern: String, url: String, values: [String: String]) {
    check(pattern, url, values)
  }

  @Test(arguments: [
    ("app://pokedex/:id", "app://pokedex"),
    ("app://pokedex/:id", "app://pokedex/"),
    ("app://pokedex/:id", "app://pokedex/1/2"),
    ("app://pokedex/:id", "app://map/1"),
    ("app://pokedex/:id", "other://pokedex/1"),
    ("app://pokedex/:id", "pokedex/1"),
    ("app://pokedex/:id", ""),
    ("app://pokedex/:id", "app://pokedex/%"),
    ("app://pokedex/:id", "app://pokedex/%4"),
    ("app://pokedex/:id", "app://pokedex/%zz"),
    ("app://pokedex/:id", "app://pokedex/%+5"),
    ("app://pokedex/:id", "app://pokedex/%-0"),
    ("app://pokedex/:id", "app://pokedex/%ff"),
    ("app://pokedex", "app://Pokedex"),
    ("app://caf\u{E9}", "app://cafe\u{301}"),
  ])
  func otherURLsDoNotMatch(pattern: String, url: String) { check(pattern, url, nil) }

  private func check(
    _ pattern: String, _ url: String, _ values: [String: String]?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let match = Link(pattern) { _ in [] }.match(url)
    #expect((match == nil) == (values == nil), sourceLocation: location)
    for (name, value) in values ?? [:] { #expect(match?[name] == value, sourceLocation: location) }
  }
}

@Suite @CoreActor struct AppScopeTests {
  /// Counts the screens that have shown up.
  final class Registry: Scope {
    struct Input: Ports {}
    struct Output: Ports { let visits = Out(0) }
    let input = Input(), output = Output(), effects = Effects()
    let router = Router()
    var opens = true
    init() { effects.onClose { Issue.record("a scope never closes") } }
    func mayOpen(_ link: Link) -> Bool { opens || !link.isPrivate }
  }

  final class Visitor: Screen {
    static let kind = "visitor"
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects(), router = Router()
    init(registry: Registry) { registry.output.visits.value += 1 }
  }

  private var app: App {
    App(
      root: .stack(Route(Visitor.self)),
      scope: ScreenFactory(Registry.self) { dependencies in
        let registry = Registry()
        dependencies.set(.registry, to: registry)
        return registry
      },
      links: [
        Link("app://open") { _ in [Route(kind: "visitor", argument: ["of": "open"])] },
        Link("app://private", isPrivate: true) {
          try $0.dependencies[.registry].output.visits.value > 0
            ? [Route(kind: "visitor", argument: ["of": "private"])] : nil
        },
      ],
      screens: [ScreenFactory(Visitor.self) { Visitor(registry: try $0[.registry]) }])
  }

  @Test func scopeOutlivesEveryScreen() throws {
    let core = TestCore(app)
    let registry = try #require(core.scope(Registry.self))
    try core.start()
    #expect(registry.output.visits.value == 1)
    try core.screen(Visitor.self)?.router.setRoot(.stack(Route(Visitor.self)))
    #expect(registry.output.visits.value == 2)
    #expect(core.kinds == ["visitor"])
    #expect(core.liveCounts.screens == 1)
    core.core.closeAll()
    #expect(core.scope(Registry.self) === registry)
    #expect(core.faults == [])
  }

  @Test func onlyPrivateLinksWait() async throws {
    let core = TestCore(app)
    try core.start()
    let registry = try #require(core.scope(Registry.self))
    registry.opens = false
    #expect(try core.core.open("app://open") == .done)
    #expect(try core.core.open("app://private") == .asked)
    #expect(core.kinds.count == 2)
    registry.opens = true
    // At the end of any turn.
    core.core.scheduleTurnEnd()
    CoreActor.executor.endTurn()
    await core.settle()
    #expect(core.kinds.count == 2)
    #expect(registry.output.visits.value == 3)
    #expect(try core.core.open("app://private") == .unchanged)
  }

  @Test func linkThatTheUserDeclinesIsForgotten() throws {
    let core = TestCore(app)
    try core.start()
    let registry = try #require(core.scope(Registry.self))
    registry.opens = false
    #expect(try core.core.open("app://private") == .asked)
    // A screen cannot decline it.
    core.screen(Visitor.self)?.router.stay()
    #expect(core.core.pendingWork.map(\.name) == ["app://private"])
    registry.router.stay()
    #expect(core.core.pendingWork.isEmpty)
  }

  @Test func waitingLinkBelongsToItsRequest() async throws {
    let core = TestCore(app)
    try core.start()
    let registry = try #require(core.scope(Registry.self))
    registry.opens = false
    core.core.turn(of: "7") { #expect((try? core.core.open("app://private")) == .asked) }
    // A link that leads nowhere changes nothing.
    #expect(throws: NavigationError.self) { try core.core.open("app://nowhere") }
    #expect(core.core.pendingWork.map(\.name) == ["app://private"])
    core.core.cancelWork(ofRequest: "7")
    #expect(core.core.pendingWork.isEmpty)
    registry.opens = true
    core.core.scheduleTurnEnd()
    CoreActor.executor.endTurn()
    #expect(core.kinds == ["visitor"])
  }

  /// In the turn that opens the link, something has changed on behalf of no request.
  @Test func changeWithoutACauseKeepsThatOfAWaitingLink() async throws {
    let core = TestCore(app)
    let causes = Recorder<String?>()
    core.watch { causes.append($0.cause) }
    try core.start()
    await core.turn()
    let registry = try #require(core.scope(Registry.self))
    registry.opens = false
    core.core.turn(of: "7") { #expect((try? core.core.open("app://private")) == .asked) }
    registry.opens = true
    core.core.during(nil) { core.core.changedAgain() }
    await core.settle()
    #expect(core.kinds.count == 2, "\(core.faults)")
    #expect(causes.values == [nil, "7"])
  }

  @Test func failingScopeKeepsTheAppFromStarting() {
    let core = TestCore(
      App(
        root: .stack(Route(Visitor.self)),
        scope: ScreenFactory(Registry.self) { _ in throw CancellationError() }, screens: []))
    #expect(core.faults.count == 1)
    #expect(throws: CancellationError.self) { try core.start() }
  }
}

extension Dependencies.Key<AppScopeTests.Registry> {
  fileprivate static let registry = Self("registry")
}
