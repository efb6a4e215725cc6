import FoundationEssentials
import OffstageTesting
import Testing

@testable import Offstage

/// The URL of a screen leads back to it.
@Suite @CoreActor struct AddressTests {
  protocol Named: Codable, Sendable {
    static var kind: String { get }
  }

  /// A screen that shows nothing.
  final class Page<Argument: Named>: Screen {
    static var kind: String { Argument.kind }
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects(), router = Router()
    let argument: Argument
    init(_ argument: Argument) { self.argument = argument }
  }

  struct Article: Named {
    static let kind = "article"
    var feed: Int
    var article: String
    var scroll: Double?
  }

  struct Values: Named, Equatable {
    enum Color: String, Codable, CaseIterable { case red, blue }
    enum Size: Int, Codable, CaseIterable {
      case small = 1
      case large
    }
    static let kind = "values"
    var count: Int
    var ratio: Double
    var isOn: Bool
    var id: UUID
    var color: Color
    var size: Size?
    var limit: UInt8
  }

  /// A number in JSON.
  struct Number: Named, RawRepresentable {
    static let kind = "number"
    var rawValue: Int
  }

  struct Chat: Named, Identifiable {
    struct Person: Codable { var name: String }
    static let kind = "chat"
    var person: Person
    var draft: String?
    var id: String { person.name }
  }

  struct Mail: Named {
    static let kind = "mail"
    var name: String
  }

  private static let links = [
    Link("app://a", tab: "a"),
    Link("app://feed/:feed/article/:article", tab: "a", to: Page<Article>.self),
    Link("app://all/:count/:ratio/:isOn/:id/:color/:size/:limit", to: Page<Values>.self),
    Link("app://b/number/:value", tab: "b", to: Page<Number>.self),
    Link("app://a/number/:value", tab: "a", to: Page<Number>.self),
    Link(
      "app://chat/:name", to: Page<Chat>.self, url: { ["name": $0.person.name] },
      routes: { [Route(Page<Chat>.self, .init(person: .init(name: $0["name"])))] }),
    Link("app://caf\u{E9} (x)", tab: "b"),
    Link("app://inbox", to: Page<Mail>.self) { _ in [Route(Page<Mail>.self, .init(name: "inbox"))]
    },
    Link(
      "app://mail/:name", to: Page<Mail>.self, url: { _ in nil },
      routes: { [Route(Page<Mail>.self, .init(name: $0["name"]))] }),
    Link("app://none/:what") { _ in [] },
  ]

  private func makeCore(_ root: App.Root? = nil) throws -> TestCore {
    let core = TestCore(
      App(
        root: root
          ?? .tabs([
            Tab("a", title: "A", icon: "a", Route(Page<Mail>.self, .init(name: "a"))),
            Tab("b", title: "B", icon: "b", Route(Page<Number>.self, .init(rawValue: 0))),
            Tab("c", title: "C", icon: "c", Route(Page<Mail>.self, .init(name: "c"))),
          ]),
        links: Self.links,
        screens: [
          ScreenFactory(Page<Article>.self) { argument, _ in Page(argument) },
          ScreenFactory(Page<Values>.self) { argument, _ in Page(argument) },
          ScreenFactory(Page<Number>.self) { argument, _ in Page(argument) },
          ScreenFactory(Page<Chat>.self) { argument, _ in Page(argument) },
          ScreenFactory(Page<Mail>.self) { argument, _ in Page(argument) },
        ]))
    try core.start()
    return core
  }

  /// The address of the visible screen.
  private func address(_ core: TestCore) -> String? {
    core.core.navigation.visibleScreen.flatMap { core.core.screens[$0]?.url }
  }

  private func router(_ core: TestCore) throws -> Router {
    let id = try #require(core.core.navigation.visibleScreen)
    switch core.core.screens[id]?.part {
    case let screen as Page<Mail>: return screen.router
    case let screen as Page<Number>: return screen.router
    default: throw NavigationError.noTabs
    }
  }

  // MARK: Both ways

  @Test(arguments: [
    ("x", "x"), ("a b/c", "a%20b%2Fc"), ("?#&=+", "%3F%23%26%3D%2B"), (":id", "%3Aid"),
    ("100%", "100%25"), ("%41", "%2541"), ("caf\u{E9}", "caf%C3%A9"),
    ("cafe\u{301}", "cafe%CC%81"), ("글", "%EA%B8%80"), ("...", "..."), ("~-_.", "~-_."),
    ("\n\0", "%0A%00"),
  ])
  func textIsPercentEncoded(text: String, component: String) throws {
    let core = try makeCore()
    try router(core).push(Page<Article>.self, .init(feed: -4, article: text))
    let url = try #require(address(core))
    #expect(url == "app://feed/-4/article/\(component)")
    let other = try makeCore()
    try other.open(url)
    let argument = try #require(other.screen(Page<Article>.self)?.argument)
    #expect(argument.feed == -4)
    #expect(Array(argument.article.utf8) == Array(text.utf8))
    #expect(address(other) == url)
  }

  @Test func valuesOfEveryTypeGoBothWays() throws {
    let id = try #require(UUID(uuidString: "0E984725-C51C-4BF4-9960-E1C80E27ABA0"))
    let values = Values(
      count: -7, ratio: 0.25, isOn: true, id: id, color: .blue, size: .large, limit: 255)
    let core = try makeCore()
    try router(core).push(Page<Values>.self, values)
    let url = try #require(address(core))
    #expect(url == "app://all/-7/0.25/true/\(id)/blue/2/255")
    let other = try makeCore()
    try other.open(url)
    #expect(other.screen(Page<Values>.self)?.argument == values)
    #expect(address(other) == url)
  }

  @Test(arguments: [
    "app://all/x/0.25/true/0E984725-C51C-4BF4-9960-E1C80E27ABA0/blue/2/255",
    "app://all/1/inf/true/0E984725-C51C-4BF4-9960-E1C80E27ABA0/blue/2/255",
    "app://all/1/0.25/yes/0E984725-C51C-4BF4-9960-E1C80E27ABA0/blue/2/255",
    "app://all/1/0.25/true/0E984725/blue/2/255",
    "app://all/1/0.25/true/0E984725-C51C-4BF4-9960-E1C80E27ABA0/green/2/255",
    "app://all/1/0.25/true/0E984725-C51C-4BF4-9960-E1C80E27ABA0/blue/3/255",
    "app://all/1/0.25/true/0E984725-C51C-4BF4-9960-E1C80E27ABA0/blue/2/256",
    "app://all/99999999999999999999/0.25/true/0E984725-C51C-4BF4-9960-E1C80E27ABA0/blue/2/2",
  ])
  func textThatIsNoValueLeadsNowhere(url: String) throws {
    let core = try makeCore()
    #expect(throws: NavigationError.self) { try core.open(url) }
    #expect(core.kinds == ["mail", "number", "mail"])
  }

  @Test func otherSpellingsLeadToTheOneAddress() throws {
    let core = try makeCore()
    try core.open("APP://feed/007/article/%61?x#y")
    #expect(address(core) == "app://feed/7/article/a")
  }

  @Test func nameMayStandForTheWholeArgument() throws {
    let core = try makeCore()
    try core.open("app://a/number/5")
    #expect(core.screens(Page<Number>.self).last?.argument.rawValue == 5)
    #expect(address(core) == "app://a/number/5")
  }

  // MARK: Which link

  @Test func linkOfTheTabIsPreferred() throws {
    let core = try makeCore()
    try router(core).push(Page<Number>.self, .init(rawValue: 1))
    #expect(address(core) == "app://a/number/1")
    _ = core.back()
    core.selectTab("b")
    try router(core).push(Page<Number>.self, .init(rawValue: 1))
    #expect(address(core) == "app://b/number/1")
    core.selectTab("c")
    try router(core).push(Page<Number>.self, .init(rawValue: 1))
    #expect(address(core) == "app://b/number/1")
  }

  @Test func sheetsAndModalsHaveAddresses() throws {
    let core = try makeCore()
    let router = try self.router(core)
    router.present(Page<Number>.self, .init(rawValue: 1))
    #expect(address(core) == "app://a/number/1")
    try self.router(core).present(Page<Number>.self, .init(rawValue: 2), as: .modal)
    #expect(address(core) == "app://a/number/2")
  }

  @Test func rootsHaveTheAddressOfTheirTab() throws {
    let core = try makeCore()
    #expect(address(core) == "app://a")
    core.selectTab("b")
    #expect(address(core) == "app://caf%C3%A9%20(x)")
    #expect(try core.core.open("app://caf%C3%A9%20(x)") == .unchanged)
    core.selectTab("c")
    #expect(address(core) == nil)
    #expect(
      try address(makeCore(.stack(Route(Page<Mail>.self, .init(name: "inbox"))))) == "app://inbox"
    )
  }

  @Test func closureTellsWhetherTheURLLeadsBack() throws {
    let core = try makeCore()
    let router = try self.router(core)
    router.push(Page<Mail>.self, .init(name: "inbox"))
    #expect(address(core) == "app://inbox")
    try self.router(core).push(Page<Mail>.self, .init(name: "spam"))
    #expect(address(core) == nil)
  }

  @Test func identifiableArgumentIsFoundByItsID() throws {
    let core = try makeCore()
    try router(core).push(Page<Chat>.self, .init(person: .init(name: "Kim"), draft: "Hi"))
    #expect(address(core) == "app://chat/Kim")
    // Another argument would not come back.
    _ = core.back()
    try router(core).push(Page<Article>.self, .init(feed: 1, article: "a", scroll: 0.5))
    #expect(address(core) == nil)
  }

  /// A browser takes the dots for the folders above.
  @Test(arguments: ["", ".", ".."])
  func textThatCannotBeAComponentHasNoAddress(text: String) throws {
    let core = try makeCore()
    try router(core).push(Page<Article>.self, .init(feed: 1, article: text))
    #expect(address(core) == nil)
  }

  @Test func addressIsThatOfTheOpeningForever() throws {
    let core = try makeCore()
    try router(core).push(Page<Number>.self, .init(rawValue: 1))
    let first = address(core)
    core.selectTab("b")
    core.selectTab("a")
    #expect(first == "app://a/number/1" && address(core) == first)
    try router(core).setRoot(.stack(Route(Page<Number>.self, .init(rawValue: 3))))
    #expect(address(core) == "app://b/number/3")
  }
}
