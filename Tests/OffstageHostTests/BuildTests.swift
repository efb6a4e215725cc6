import Offstage
import OffstageJSON
import Testing

@testable import OffstageHost

/// The hash of the schema is computed by the first start of a program, and remembered in its state.
@Suite @CoreActor struct BuildTests {
  private let info = AppInfo(name: "app", version: "1.0")

  @Test func sameProgramTakesTheHashOfItsState() throws {
    let app = Self.app(of: Home.self) { Home() }
    let first = try Build(of: app, info, startingFrom: nil)
    #expect(first.schemaHash?.count == 16)
    var state: JSON = ["build": first.json]
    #expect(first.other(of: state) == nil)
    state["build"]?["schema"] = "remembered"
    #if os(Linux)
      #expect(
        try Build(of: app, info, startingFrom: state).schemaHash == "remembered")
    #endif
    #expect(first.other(of: state) == "1.0")
  }

  @Test func anotherProgramComputesIt() throws {
    let app = Self.app(of: Home.self) { Home() }
    let first = try Build(of: app, info, startingFrom: nil)
    var state: JSON = ["build": first.json]
    state["build"]?["schema"] = "remembered"
    // The same file, composed of another screen with the same kind.
    let other = Self.app(of: Away.self) { Away() }
    #expect(
      try Build(of: other, info, startingFrom: state).schemaHash
        == Build(of: other, info, startingFrom: nil).schemaHash)
    // Another file.
    state["build"]?["program"] = "another"
    #expect(try Build(of: app, info, startingFrom: state).schemaHash == first.schemaHash)
    // A state that was left before programs were named.
    state["build"] = ["version": "1.0", "schema": "remembered"]
    #expect(try Build(of: app, info, startingFrom: state).schemaHash == first.schemaHash)
  }

  private static func app<S: Screen>(
    of screen: S.Type, _ make: @escaping @CoreActor @Sendable () -> S
  ) -> App where S.Argument == Empty {
    App(root: .stack(Route(screen)), screens: [ScreenFactory(screen) { _ in make() }])
  }

  private final class Home: Screen {
    static let kind = "home"
    struct Input: Ports {}
    struct Output: Ports { let name = Out("") }
    let input = Input(), output = Output(), effects = Effects()
  }

  private final class Away: Screen {
    static let kind = "home"
    struct Input: Ports {}
    struct Output: Ports { let distance = Out(0) }
    let input = Input(), output = Output(), effects = Effects()
  }
}
