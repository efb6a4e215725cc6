import Testing

@testable import Offstage

/// Each type is asked twice: the first instance is found by reflection, and what it has is remembered.
@Suite @CoreActor struct PortsTests {
  @Test func portsAreNamedInTheOrderOfTheirDeclaration() {
    for _ in 1...2 {
      let ports = Plain()
      let named = ports.named()
      #expect(named.map(\.name) == ["first", "aNameThatDoesNotFitIntoAString", "last"])
      #expect(named.map { ObjectIdentifier($0.port) } == ports.all.map { ObjectIdentifier($0) })
    }
  }

  @Test func anyInstanceHasTheMeaningsOfItsPorts() {
    for _ in 1...2 {
      let words = Plain().named().map { $0.port.meaning.statements.map(\.word) }
      #expect(words == [[".hidden"], [], [".kept"]])
    }
  }

  @Test func otherPropertiesAreLeftOut() {
    for _ in 1...2 { #expect(Mixed().named().map(\.name) == ["first", "last"]) }
  }

  @Test(arguments: [[true, false, true], [false, true]])
  func aPortThatMayBeMissingIsNamedIfItIsThere(_ isThere: [Bool]) {
    for each in isThere {
      Optional.isThere = each
      #expect(Optional().named().map(\.name) == (each ? ["first", "second"] : ["first"]))
    }
  }

  private struct Plain: Ports {
    let first = In<Trigger>(.hidden)
    let aNameThatDoesNotFitIntoAString = Field("")
    let last = Out(0, .kept)

    var all: [Port] { [first, aNameThatDoesNotFitIntoAString, last] }
  }

  private struct Mixed: Ports {
    let first = In<Trigger>()
    let text = "no port"
    let last = Out(0)
    let object = Recorder()
  }

  private struct Optional: Ports {
    static var isThere = true
    let first = In<Trigger>()
    let second = isThere ? Out(0) : nil
  }

  private final class Recorder {}
}
