import OffstageTesting
import Testing

@testable import Offstage

/// Mistakes that the compiler does not find, and the messages that they get.
@Suite @CoreActor struct MistakeTests {
  // MARK: Declarations

  final class Constant: Screen {
    static let kind = "constant"
    struct Input: Ports { let limit = 5 }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class Nested: Screen {
    static let kind = "nested"
    struct Header: Ports { let title = Out("") }
    struct Input: Ports {}
    struct Output: Ports { let header = Header() }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class Reserved: Screen {
    static let kind = "reserved"
    struct Input: Ports {}
    struct Output: Ports { let finished = Event<Int>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class Anonymous: Screen {
    static let kind = "anonymous"
    struct Row: Identifiable, Codable, Equatable, Sendable {
      let name: String
      var id: String { name }
    }
    struct Input: Ports {}
    struct Output: Ports { let rows = Rows<Row>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class OutputInInput: Screen {
    static let kind = "outputInInput"
    struct Input: Ports { let title = Out("") }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class RowsInInput: Screen {
    static let kind = "rowsInInput"
    struct Row: Identifiable, Codable, Equatable, Sendable { let id: Int }
    struct Input: Ports { let rows = Rows<Row>() }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class EventInInput: Screen {
    static let kind = "eventInInput"
    struct Input: Ports { let saved = Event<Int>() }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class InputInOutput: Screen {
    static let kind = "inputInOutput"
    struct Input: Ports {}
    struct Output: Ports { let tap = In<Trigger>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class FieldInOutput: Screen {
    static let kind = "fieldInOutput"
    struct Input: Ports {}
    struct Output: Ports { let nameText = Field("") }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class Twice: Screen {
    static let kind = "twice"
    struct Input: Ports {}
    struct Output: Ports {
      let title: Out<String>
      let heading: Out<String>

      init() {
        title = Out("")
        heading = title
      }
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  enum Color: Codable, CaseIterable { case red, green }

  final class Palette: Screen {
    static let kind = "palette"
    struct Input: Ports {}
    struct Output: Ports { let counts = Out<[Color: Int]>([:]) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class Table: Screen {
    static let kind = "table"
    struct Row: Identifiable, Codable, Equatable, Sendable {
      let id: Int
      let counts: [Color: Int]
    }
    struct Input: Ports {}
    struct Output: Ports { let rows = Rows<Row>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  private static let declarations: [(factory: ScreenFactory, message: String)] = [
    (
      ScreenFactory(Constant.self) { _ in Constant() },
      #"the property "limit" in the Input of the screen "constant" is not a port: declare it as In"#
    ),
    (
      ScreenFactory(Nested.self) { _ in Nested() },
      #"the property "header" in the Output of the screen "nested" holds ports of its own"#
    ),
    (
      ScreenFactory(Reserved.self) { _ in Reserved() },
      #"the event "finished" of the screen "reserved" has the name of the event that carries"#
    ),
    (
      ScreenFactory(Anonymous.self) { _ in Anonymous() },
      #"the rows of the output "rows" of the screen "anonymous" are not encoded with their id"#
    ),
    (
      ScreenFactory(OutputInInput.self) { _ in OutputInInput() },
      #"the output "title" of the screen "outputInInput" is in Input: declare it in Output"#
    ),
    (
      ScreenFactory(RowsInInput.self) { _ in RowsInInput() },
      #"the output "rows" of the screen "rowsInInput" is in Input: declare it in Output"#
    ),
    (
      ScreenFactory(EventInInput.self) { _ in EventInInput() },
      #"the event "saved" of the screen "eventInInput" is in Input: declare it in Output"#
    ),
    (
      ScreenFactory(InputInOutput.self) { _ in InputInOutput() },
      #"the input "tap" of the screen "inputInOutput" is in Output: declare it in Input"#
    ),
    (
      ScreenFactory(FieldInOutput.self) { _ in FieldInOutput() },
      #"the input "nameText" of the screen "fieldInOutput" is in Output: declare it in Input"#
    ),
    (
      ScreenFactory(Twice.self) { _ in Twice() },
      #""title" and "heading" of the screen "twice" are one port: create one for each name"#
    ),
    (
      ScreenFactory(Palette.self) { _ in Palette() },
      #"the output "counts" of the screen "palette": its keys have no text that could name the "#
        + "members of an object. Give Color raw values if it is an enum, or conform it to "
        + "CodingKeyRepresentable."
    ),
    (
      ScreenFactory(Table.self) { _ in Table() },
      #"the output "rows" of the screen "table": its keys have no text"#
    ),
  ]

  @Test(arguments: 0..<12) func declarationIsRefusedAtStart(_ index: Int) {
    let (factory, message) = Self.declarations[index]
    let app = App(root: .tabs([]), screens: [factory])
    let error = #expect(throws: PortError.self) { try app.check() }
    #expect("\(error as Any)".contains(message), "\(error as Any)")
    let core = TestCore(app)
    #expect(core.faults.contains { $0.contains(message) })
  }

  @Test func declarationIsAFaultOfAScreenThatATestShows() {
    let core = TestCore()
    _ = core.show { Reserved() }
    #expect(core.faults.count == 1)
  }

  final class ComputedInput: Screen {
    static let kind = "computedInput"
    struct Input: Ports { let tap = In<Trigger>() }
    struct Output: Ports { let count = Out(0) }
    var input: Input { Input() }
    let output = Output(), effects = Effects()
  }

  final class ComputedOutput: Screen {
    static let kind = "computedOutput"
    struct Input: Ports { let tap = In<Trigger>() }
    struct Output: Ports { let count = Out(0) }
    let input = Input(), effects = Effects()
    var output: Output { Output() }
  }

  @Test func computedInputStopsADebugBuild() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in _ = TestCore().show { ComputedInput() } }.value
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let message = #"the property "input" of the screen "computedInput" creates new ports"#
    #expect(error.contains(message), "\(error)")
  }

  @Test func computedOutputStopsADebugBuild() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in _ = TestCore().show { ComputedOutput() } }.value
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let message = #"the property "output" of the screen "computedOutput" creates new ports"#
    #expect(error.contains(message), "\(error)")
  }

  // MARK: Observations

  @Test func observationWithoutEndStopsADebugBuild() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.observeInHandler(isKept: false)
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains("OffstageTests/MistakeTests.swift:"))
    #expect(error.contains("this observation never ends"))
  }

  // MARK: Lists

  private struct Renamed: Identifiable, Codable, Equatable, Sendable { var id: Int }

  @Test func rowThatChangesItsIDNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let rows = Rows<Renamed>()
        rows.append(Renamed(id: 1))
        rows.update(1) { $0.id = 2 }
      }.value
    }
    check(result, "the id of a row cannot change: 1 became 2")
  }

  @Test func derivedRowWithAnotherIDNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.rename(isLater: false)
    }
    check(result, "Rows.derive must keep the id of a row: 1 became 2")
  }

  @Test func editedDerivedRowWithAnotherIDNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.rename(isLater: true)
    }
    check(result, "Rows.derive must keep the id of a row: 1 became 2")
  }

  @CoreActor private static func rename(isLater: Bool) {
    let origin = Rows<Renamed>()
    if !isLater { origin.append(Renamed(id: 1)) }
    let core = TestCore()
    final class List: Screen {
      static let kind = "list"
      struct Input: Ports {}
      struct Output: Ports { let rows = Rows<Renamed>() }
      let input = Input(), output = Output(), effects = Effects()
      init(_ origin: Rows<Renamed>) {
        output.rows.derive(
          from: origin, sortedBy: { $0.id > $1.id }, map: { Renamed(id: $0.id + 1) })
      }
    }
    let list = core.show { List(origin) }
    origin.append(Renamed(id: 1))
    _ = list.output.rows.values
  }

  @Test func editOfADerivedListStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let origin = Rows<Probe.Item>()
        let list = TestCore().show { Probe { $0.output.items.derive(from: origin) } }
        origin.append(Probe.Item(id: "a"))
        list.output.items.append(Probe.Item(id: "b"))
      }.value
    }
    check(result, #"the list "items" of screen 1 is derived from another one"#, nil)
  }

  // MARK: Derived outputs

  @Test func cycleOfDerivedOutputsStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let core = TestCore()
        _ = core.show {
          Probe { screen in
            screen.output.number.derive { screen.output.text.value.count }
            screen.output.text.derive { "\(screen.output.text.value)\(screen.output.number.value)" }
          }
        }
        _ = core.document
        await core.run()
      }.value
    }
    check(result, "this output depends on itself, and changes again and again")
  }

  @Test func derivedOutputThatChangesAPortStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { screen in
            screen.output.text.derive {
              screen.output.number.value += 1
              return "\(screen.output.number.value)"
            }
            screen.output.number.value = 3
          }
        }
      }.value
    }
    check(result, "this closure computes an output, and must not change a port that it has read")
  }

  @Test func derivedOutputCannotBeSet() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let screen = TestCore().show {
          Probe { screen in screen.output.text.derive { "\(screen.input.number.value ?? 0)" } }
        }
        screen.output.text.value = "77"
      }.value
    }
    check(result, #"the output "text" of screen 1 is derived, and cannot be set"#, nil)
  }

  // MARK: Composition

  @Test func linkWithoutAFactoryNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore(
          App(
            root: .tabs([]), links: [Link("app://probe", to: Probe.self) { _ in [] }], screens: []))
      }.value
    }
    check(result, #"the link app://probe leads to "probe", which has no factory"#)
  }

  private func check(
    _ result: ExitTest.Result?, _ message: String,
    _ file: String? = "OffstageTests/MistakeTests.swift:"
  ) {
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    if let file { #expect(error.contains(file), "\(error)") }
    #expect(error.contains(message), "\(error)")
  }

  @Test func observationThatIsKeptIsFine() async { await Self.observeInHandler(isKept: true) }

  @Test func observationInAnEffectWithoutEndStopsADebugBuild() async {
    await #expect(processExitsWith: .failure) {
      await Task { @CoreActor in
        let changes = Relay<Int>()
        let core = TestCore()
        let screen = core.show { Probe() }
        screen.effects.run("load") { screen.output.number.bind(changes) }
        await core.settle()
      }.value
    }
  }

  private static func observeInHandler(isKept: Bool) async {
    let changes = Relay<Int>()
    var subscription: Subscription?
    let core = TestCore()
    let screen = core.show {
      Probe { screen in
        let own = Relay<Int>()
        screen.input.tap.observe {
          own.observe { screen.output.number.value = $0 }
          screen.input.number.observe { screen.output.number.value = $0 }
          let new = changes.observe { screen.output.number.value = $0 }
          if isKept { subscription = new }
        }
      }
    }
    screen.input.tap.send()
    changes.send(5)
    #expect(screen.output.number.value == 5)
    subscription?.cancel()
  }
}
