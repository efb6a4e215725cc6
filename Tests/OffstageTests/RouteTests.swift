import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// A route creates a screen, or an error that says why it cannot.
@Suite @CoreActor struct RouteTests {
  final class Reader: Screen {
    static let kind = "reader"
    struct Argument: Codable, Sendable, Equatable {
      var book: Int
      var page: Int? = nil
    }
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input()
    let output = Output()
    let effects = Effects()
    let argument: Argument

    init(_ argument: Argument) { self.argument = argument }
  }

  @Test func carriesTheArgument() throws {
    let core = try start(Route(Reader.self, .init(book: 7, page: 3)))
    #expect(core.screen(Reader.self)?.argument == Reader.Argument(book: 7, page: 3))
    #expect(core.kinds == ["reader"])
  }

  @Test func routesAreEqualByKindAndArgument() {
    #expect(
      Route(Reader.self, .init(book: 7))
        == Route(kind: "reader", argument: ["book": 7, "page": .null]))
    #expect(Route(Probe.self) == Route(kind: "probe"))
  }

  @Test func errorsNameTheRoute() {
    check(
      Route(kind: "reader"),
      "The screen \"reader\" cannot be opened with this argument: expected integer at \"/book\", "
        + "found nothing.")
    check(
      Route(kind: "reader", argument: ["book": "x"]),
      "The screen \"reader\" cannot be opened with this argument: expected integer at \"/book\", "
        + "found string.")
    check(
      Route(kind: "writer"),
      "The app has no screen \"writer\". Register a factory for it in App.screens.")
  }

  private func check(
    _ route: Route, _ complaint: String, _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: NavigationError.self, sourceLocation: location) { try start(route) }
    #expect(error.map { "\($0)" } == complaint, sourceLocation: location)
  }

  private func start(_ route: Route) throws -> TestCore {
    let core = TestCore(
      App(
        root: .stack(route),
        screens: [ScreenFactory(Reader.self) { argument, _ in Reader(argument) }]))
    try core.start()
    return core
  }
}

@Suite struct ScreenIDTests {
  @Test(arguments: ["1", "42"])
  func parsesItsDescription(text: String) { #expect(ScreenID(text)?.description == text) }

  @Test(arguments: ["", "01", "+1", " 1", "1.0", "a", "9223372036854775808"])
  func rejectsOtherSpellings(text: String) { #expect(ScreenID(text) == nil) }
}
