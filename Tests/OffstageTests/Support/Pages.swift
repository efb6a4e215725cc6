import OffstageTesting
import Testing

@testable import Offstage

/// A kind of page, for the tests of the navigation.
protocol PageKind: Sendable {
  static var name: String { get }
}

enum Red: PageKind { static let name = "red" }
enum Green: PageKind { static let name = "green" }
enum Blue: PageKind { static let name = "blue" }

/// A screen that starts every kind of work that could keep it alive.
final class Page<Kind: PageKind>: Screen, AnyPage {
  static var kind: String { Kind.name }

  struct Output: Ports { let ticks = Out(0) }

  typealias Result = Int

  let input = PageInput()
  let output = Output()
  let effects = Effects()
  let router = Router()

  init() {
    output.ticks.bind(input.tick.debounce(.seconds(5)))
    input.result.observe { _ in self.output.ticks.value += 1 }
    input.tick.observe { _ in self.effects.cancel("ask") }
    effects.every(.seconds(7)) { self.output.ticks.value += 1 }
  }

  func work() {
    input.tick.send(1)
    effects.run("sleep", .keepFirst) { try await self.effects.sleep(for: .seconds(10)) }
    effects.run("queue", .queue) { try await self.effects.sleep(for: .seconds(1)) }
    effects.run("ask") {
      _ = try await self.effects.ask(.alert(Dialog("?")))
    } catch: { _ in
    }
  }

  func finish(with number: Int) { finish(number) }

  static func shown(by router: Router, _ way: PageWay) -> PresentedScreen<Int> {
    switch way {
    case .push: router.push(Self.self, Empty())
    case .pushUnique: router.pushUnique(Self.self, Empty())
    case .sheet: router.present(Self.self, Empty())
    case .cover: router.present(Self.self, Empty(), as: .fullScreenCover)
    case .modal: router.present(Self.self, Empty(), as: .modal)
    }
  }
}

struct PageInput: Ports {
  let tick = In<Int>()
  let result = In<Int?>()
}

enum PageWay: CaseIterable { case push, pushUnique, sheet, cover, modal }

/// A page of any kind.
@CoreActor
protocol AnyPage: AnyObject {
  var router: Router { get }
  var input: PageInput { get }
  func work()
  func finish(with number: Int)
  static func shown(by router: Router, _ way: PageWay) -> PresentedScreen<Int>
}

enum Pages {
  @CoreActor static let kinds: [any AnyPage.Type] = [
    Page<Red>.self, Page<Green>.self, Page<Blue>.self,
  ]

  @CoreActor
  static func app(_ root: App.Root? = nil, links: [Link] = []) -> App {
    App(
      root: root
        ?? .tabs([
          Tab("red", title: "Red", icon: "r", Route(Page<Red>.self)),
          Tab("green", title: "Green", icon: "g", Route(Page<Green>.self)),
        ]),
      links: links,
      screens: [
        ScreenFactory(Page<Red>.self) { _ in Page() },
        ScreenFactory(Page<Green>.self) { _ in Page() },
        ScreenFactory(Page<Blue>.self) { _ in Page() },
      ])
  }
}

extension TestCore {
  /// Returns the page with an id.
  func page(_ id: Int) -> (any AnyPage)? { core.screens[ScreenID(id)]?.part as? any AnyPage }
}

/// A short form of a navigation: `tabs a*[1 3] b[2] | p1[4 5] | m1(6 of 5)`.
extension Navigation: CustomTestStringConvertible {
  public var testDescription: String {
    let isTabs = stacks[0].tab != nil
    let bases = stacks[..<firstPresentation].map {
      "\($0.tab ?? "stack")\($0.tab == selectedTab && isTabs ? "*" : "")[\($0.screens.list)]"
    }
    let covers =
      stacks[firstPresentation...].map { "\($0.presentation!)[\($0.screens.list)]" }
      + modals.map { "\($0.id)(\($0.screen) of \($0.owner))" }
    let base = (isTabs ? "tabs " : "") + bases.joined(separator: " ")
    return ([base] + covers).joined(separator: " | ")
  }
}

extension Navigation.Change {
  /// A short form of the commands: `pop 3, dismiss p1 5 4`.
  var commandList: String {
    commands.map { command in
      ([command.kind.rawValue]
        + [command.tab, command.presentation, command.modal].compactMap(\.self)
        + [command.screens.list]).joined(separator: " ")
    }.joined(separator: ", ")
  }
}

extension [ScreenID] {
  var list: String { map(\.description).joined(separator: " ") }
}

extension ScreenID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self.init(value) }
}
