import OffstageTesting
import Testing

@testable import Offstage

/// Declarations that cannot work, and the messages that they get at start.
@Suite @CoreActor struct DeclarationTests {
  /// Tests and tools name the three types of any screen or part.
  @Test func everyPartNamesItsThreeTypes() {
    func types<P: Part>(of part: P.Type) -> [ObjectIdentifier] {
      let types: [any Any.Type] = [P.Dependency.self, P.Input.self, P.Output.self]
      return types.map { ObjectIdentifier($0) }
    }
    final class Plain: Part {
      struct Input: Ports {}
      struct Output: Ports {}
      let input = Input(), output = Output(), effects = Effects()
    }
    final class Standard: Part {
      struct Dependency { let name: String }
      struct Input: Ports {}
      struct Output: Ports {}
      let input = Input(), output = Output(), effects = Effects()
      init(dependency: Dependency) {}
    }
    #expect(types(of: Plain.self)[0] == ObjectIdentifier(Void.self))
    #expect(types(of: Standard.self)[0] == ObjectIdentifier(Standard.Dependency.self))
  }

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

  final class Price: Screen {
    static let kind = "price"
    struct Input: Ports {}
    struct Output: Ports { let amounts = Out<[SchemaTests.Amount]?>(nil) }
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

  final class RowsInOut: Screen {
    static let kind = "rowsInOut"
    struct Row: Identifiable, Codable, Equatable, Sendable { let id: Int }
    struct Input: Ports {}
    struct Output: Ports { let rows = Out<[Row]>([]) }
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
      #"the property "limit" in the Input of the screen "constant" is not a port: declare it as In or Field in Input, as"#
    ),
    (
      ScreenFactory(Nested.self) { _ in Nested() },
      #"the property "header" in the Output of the screen "nested" holds ports of its own"#
    ),
    (
      ScreenFactory(Reserved.self) { _ in Reserved() },
      #"the event "finished" of the screen "reserved" has a reserved name, that of the event that carries"#
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
    (
      ScreenFactory(Price.self) { _ in Price() },
      #"the output "amounts" of the screen "price": its case "count" is not written as an object. "#
        + "Wrap its value in a struct."
    ),
    (
      ScreenFactory(RowsInOut.self) { _ in RowsInOut() },
      #"the output "rows" of the screen "rowsInOut" is a list whose elements have ids: declare it as "#
        + "Rows<Row>()"
    ),
  ]

  @Test(arguments: 0..<14) func declarationIsRefusedAtStart(_ index: Int) {
    let (factory, message) = Self.declarations[index]
    let app = App(root: .tabs([]), screens: [factory])
    let error = #expect(throws: PortError.self) { try app.describe(SchemaCatalog()) }
    #expect("\(error as Any)".contains(message), "\(error as Any)")
    let core = TestCore(app)
    #expect(core.faults.contains { $0.contains(message) })
  }

  @Test func declarationIsAFaultOfAScreenThatATestShows() {
    let core = TestCore()
    _ = core.show { Reserved() }
    #expect(core.faults.count == 1)
  }
}
