import Testing

@testable import Offstage

/// The ports of the first instance are found by reflection, and remembered for those that follow.
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
      let words = Meant().named().map { $0.port.meaning.statements.map(\.word) }
      #expect(words == [[".hidden"], [], [".kept"]])
    }
  }

  @Test func otherPropertiesAreLeftOut() {
    for _ in 1...2 { #expect(Mixed().named().map(\.name) == ["first", "last"]) }
  }

  @Test func aPortThatMayBeMissingIsNamedIfItIsThere() {
    for each in [true, false, true] {
      Optional.isThere = each
      #expect(Optional().named().map(\.name) == (each ? ["first", "second"] : ["first"]))
    }
  }

  /// A front end must not see a text because the one before was public.
  @Test func whatAPortGoesByIsItsOwn() {
    for isSecret in [true, false, true] {
      Changing.isSecret = isSecret
      let ports = Changing()
      _ = ports.named()
      #expect(ports.text.isSecret(["text"]) == isSecret)
    }
  }

  private struct Plain: Ports {
    let first = In<Trigger>()
    let aNameThatDoesNotFitIntoAString = Field("")
    let last = Out(0)

    var all: [Port] { [first, aNameThatDoesNotFitIntoAString, last] }
  }

  private struct Meant: Ports {
    let first = In<Trigger>(.hidden)
    let second = Field("")
    let last = Out(0, .kept)
  }

  private struct Changing: Ports {
    static var isSecret = false
    let text = isSecret ? Field("", roles: .secret) : Field("")
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
