import OffstageTesting
import Testing

@testable import Offstage

/// Calls that need a screen that is being created stop the program anywhere else, and name the
/// author's file and line.
@Suite struct ScreenNodeTests {
  @Test func effectsOutsideOfAScreenNameTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.makeEffects()
    }
    check(result, "Effects() was called while no screen was being created")
  }

  @Test func routerOutsideOfAScreenNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.makeRouter()
    }
    check(result, "Router() was called while no screen was being created")
  }

  @Test func debounceInAHandlerNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.debounceLate()
    }
    check(result, "debounce(_:) was called while no screen was being created")
  }

  @CoreActor private static func makeEffects() { _ = Effects() }

  @CoreActor private static func makeRouter() { _ = Router() }

  @CoreActor private static func debounceLate() {
    let core = TestCore()
    let screen = core.show {
      Probe { screen in
        screen.input.tap.observe { _ = screen.input.digit.debounce(.seconds(1)) }
      }
    }
    screen.input.tap.send()
  }

  private func check(
    _ result: ExitTest.Result?, _ message: String, _ location: SourceLocation = #_sourceLocation
  ) {
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("OffstageTests/ScreenNodeTests.swift:"), sourceLocation: location)
    #expect(error.contains(message), sourceLocation: location)
  }
}
