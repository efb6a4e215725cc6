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
  @Test func givesWhatWasSetLast() throws {
    var dependencies = Dependencies()
    dependencies.set(.count, to: 1)
    dependencies.set(.greeting, to: "hello")
    let before = dependencies
    dependencies.set(.count, to: 2)
    #expect(try dependencies[.count] == 2)
    #expect(try dependencies[.greeting] == "hello")
    #expect(try before[.count] == 1)
  }

  @Test func namesAKeyThatNobodySet() throws {
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

  @Test @CoreActor func aScreenThatMissesOneIsNotShown() async throws {
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
