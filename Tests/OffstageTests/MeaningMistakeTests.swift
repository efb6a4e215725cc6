import Offstage
import OffstageJSON
import OffstageTesting
import Testing

/// Meanings that are impossible, and the messages that they get at start and by `describe`.
@Suite @CoreActor struct MeaningMistakeTests {
  struct Row: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    let name: String
  }
  struct Other: Ports {
    let list = Rows<Row>()
    let isOn = Out(false)
  }
  struct Others: Ports { let retry = In<Trigger>() }
  struct Sizes: Codable, Hashable, Sendable { let width: Int }

  final class BusyText: Screen {
    static let kind = "busyText"
    struct Input: Ports {}
    struct Output: Ports { let text = Out("", .busy) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class TitledTwice: Screen {
    static let kind = "titledTwice"
    struct Input: Ports {}
    struct Output: Ports {
      let first = Out("", .title)
      let second = Out("", .title)
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class ForeignList: Screen {
    static let kind = "foreignList"
    struct Input: Ports {}
    struct Output: Ports { let isIdle = Out(false, .empty(of: \Other.list)) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class ForeignRetry: Screen {
    static let kind = "foreignRetry"
    struct Input: Ports {}
    struct Output: Ports { let problem = Out<String?>(nil, .failure(retry: \Others.retry)) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class SearchElsewhere: Screen {
    static let kind = "searchElsewhere"
    struct Input: Ports { let findText = Field("", roles: .search(in: \Other.list)) }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class SearchInSwitch: Screen {
    static let kind = "searchInSwitch"
    struct Input: Ports { let findText = Field("", roles: .search(in: \Output.isOn)) }
    struct Output: Ports { let isOn = Out(false) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class RowElsewhere: Screen {
    static let kind = "rowElsewhere"
    struct Input: Ports { let removed = In<Int>(.row(of: \Other.list), .destructive) }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class TwoMain: Screen {
    static let kind = "twoMain"
    struct Input: Ports {
      let one = In<Trigger>(.main)
      let two = In<Trigger>(.main)
    }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class TwoRoles: Screen {
    static let kind = "twoRoles"
    struct Input: Ports {}
    struct Output: Ports { let text = Out("", [.title, .subtitle]) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class PercentOfText: Screen {
    static let kind = "percentOfText"
    struct Input: Ports {}
    struct Output: Ports { let share = Out("", .percent) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class WordlessFailure: Screen {
    static let kind = "wordlessFailure"
    struct Input: Ports {}
    struct Output: Ports { let problem = Out<Sizes?>(nil, .failure) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class SortedByNothing: Screen {
    static let kind = "sortedByNothing"
    struct Input: Ports {}
    struct Output: Ports { let list = Rows<Row>(.table(sortedBy: \Sizes.width)) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class ShownNowhere: Screen {
    static let kind = "shownNowhere"
    struct Input: Ports { let switched = In<Int>(.shows(\Toggled.isOn)) }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }
  struct Toggled { let isOn: Bool }

  final class BusyMember: Screen {
    static let kind = "busyMember"
    struct Input: Ports {}
    struct Output: Ports { let item = Out<Item?>(nil) }
    struct Item: Codable, Hashable, Sendable, SchemaAnnotated {
      let isOn: Bool
      static var meanings: [PartialKeyPath<Self>: Meaning] { [\.isOn: .busy] }
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class MisreadMember: Screen {
    static let kind = "misreadMember"
    struct Input: Ports {}
    struct Output: Ports { let item = Out<Item?>(nil) }
    struct Item: Codable, Hashable, Sendable, SchemaAnnotated {
      let size: Int
      static var meanings: [PartialKeyPath<Self>: Meaning] { [\.size: .title] }
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class TwiceTitledRow: Screen {
    static let kind = "twiceTitledRow"
    struct Input: Ports {}
    struct Output: Ports { let items = Rows<Item>() }
    struct Item: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
      let id: Int
      let first: String
      let second: String
      static var meanings: [PartialKeyPath<Self>: Meaning] {
        [\.first: .title, \.second: .title]
      }
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class UncountedProgress: Screen {
    static let kind = "uncountedProgress"
    struct Input: Ports {}
    struct Output: Ports { let upload = Out<Sizes?>(nil, .progress(unit: "MB")) }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class UncountedMember: Screen {
    static let kind = "uncountedMember"
    struct Input: Ports {}
    struct Output: Ports { let items = Rows<Item>() }
    struct Item: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
      let id: Int
      let upload: Sizes
      static var meanings: [PartialKeyPath<Self>: Meaning] { [\.upload: .progress] }
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class ForeignColumn: Screen {
    static let kind = "foreignColumn"
    struct Input: Ports {
      let order = Field(
        Order(), roles: .sort(of: \Output.list, by: \.column, descending: \.isDescending))
    }
    struct Output: Ports { let list = Rows<Row>(.table) }
    struct Order: Codable, Equatable, Sendable {
      enum Column: String, Codable, CaseIterable, Sendable { case name, size }
      var column = Column.name
      var isDescending = false
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  final class HeavyToggle: Screen {
    static let kind = "heavyToggle"
    struct Input: Ports { let isOn = In<Bool>(.main) }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class TwoWeights: Screen {
    static let kind = "twoWeights"
    struct Input: Ports { let go = In<Trigger>(.main, .destructive) }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  final class EmptyText: Screen {
    static let kind = "emptyText"
    struct Input: Ports {}
    struct Output: Ports {
      let text = Out("")
      let isEmpty = Out(true, .empty(of: \Output.text))
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  private static let mistakes: [(factory: ScreenFactory, message: String)] = [
    (
      ScreenFactory(BusyText.self) { _ in BusyText() },
      #"the output "text" of the screen "busyText" is declared as .busy, which is for a Boolean, but is a text"#
    ),
    (
      ScreenFactory(TitledTwice.self) { _ in TitledTwice() },
      #"the output "second" of the screen "titledTwice" is declared as .title, and so is "first""#
    ),
    (
      ScreenFactory(ForeignList.self) { _ in ForeignList() },
      #"the output "isIdle" of the screen "foreignList" refers to \Other.list"#
    ),
    (
      ScreenFactory(ForeignRetry.self) { _ in ForeignRetry() },
      #"the output "problem" of the screen "foreignRetry" refers to \Others.retry"#
    ),
    (
      ScreenFactory(SearchElsewhere.self) { _ in SearchElsewhere() },
      #"the input "findText" of the screen "searchElsewhere" refers to \Other.list"#
    ),
    (
      ScreenFactory(SearchInSwitch.self) { _ in SearchInSwitch() },
      #"the input "findText" of the screen "searchInSwitch" is about "isOn", which is no list"#
    ),
    (
      ScreenFactory(RowElsewhere.self) { _ in RowElsewhere() },
      #"the input "removed" of the screen "rowElsewhere" refers to \Other.list"#
    ),
    (
      ScreenFactory(TwoMain.self) { _ in TwoMain() },
      #"the input "two" of the screen "twoMain" is declared as .main, and so is "one""#
    ),
    (
      ScreenFactory(TwoRoles.self) { _ in TwoRoles() },
      #"the output "text" of the screen "twoRoles" is both .title and .subtitle: choose one"#
    ),
    (
      ScreenFactory(PercentOfText.self) { _ in PercentOfText() },
      #"the output "share" of the screen "percentOfText" is declared as .percent, which is for a number, but is a text"#
    ),
    (
      ScreenFactory(WordlessFailure.self) { _ in WordlessFailure() },
      #"the output "problem" of the screen "wordlessFailure" is declared as .failure, but has no member with a text"#
    ),
    (
      ScreenFactory(SortedByNothing.self) { _ in SortedByNothing() },
      #"the output "list" of the screen "sortedByNothing" refers to \Sizes.width, which is not a member of its values"#
    ),
    (
      ScreenFactory(ShownNowhere.self) { _ in ShownNowhere() },
      #"the input "switched" of the screen "shownNowhere" is declared as .shows, but takes no row of a list"#
    ),
    (
      ScreenFactory(BusyMember.self) { _ in BusyMember() },
      #"the output "item" of the screen "busyMember": its member "isOn" is declared as .busy, which only an output can be"#
    ),
    (
      ScreenFactory(MisreadMember.self) { _ in MisreadMember() },
      #"the output "item" of the screen "misreadMember": its member "size" is declared as .title, which is for a text, but is a number"#
    ),
    (
      ScreenFactory(TwiceTitledRow.self) { _ in TwiceTitledRow() },
      #"the output "items" of the screen "twiceTitledRow": its members "first" and "second" have the same role"#
    ),
    (
      ScreenFactory(UncountedProgress.self) { _ in UncountedProgress() },
      #"the output "upload" of the screen "uncountedProgress" is declared as .progress, but has no integers "done" and "total""#
    ),
    (
      ScreenFactory(UncountedMember.self) { _ in UncountedMember() },
      #"its member "upload" is declared as .progress, but has no integers "done" and "total""#
    ),
    (
      ScreenFactory(ForeignColumn.self) { _ in ForeignColumn() },
      #"the input "order" of the screen "foreignColumn" sorts by "size", which is not a member of the rows of "list""#
    ),
    (
      ScreenFactory(HeavyToggle.self) { _ in HeavyToggle() },
      #"the input "isOn" of the screen "heavyToggle" is declared as .main, which is for a button or a row"#
    ),
    (
      ScreenFactory(TwoWeights.self) { _ in TwoWeights() },
      #"the input "go" of the screen "twoWeights" is both .main and .destructive: choose one"#
    ),
    (
      ScreenFactory(EmptyText.self) { _ in EmptyText() },
      #"the output "isEmpty" of the screen "emptyText" is about "text", which is no list"#
    ),
  ]

  enum Shape: Codable {
    case round
    case square(side: Int)
  }

  @Test func aTypeWithoutASchemaHasTheLineWhereItIsListed() throws {
    let catalog = SchemaCatalog()
    let (file, line) = ("OffstageTests/MeaningMistakeTests.swift", #line + 1)
    let prompt = PromptDescription("draw", answer: Shape.self)
    #expect(try prompt.answer(catalog) == [:])
    #expect(
      catalog.failure?.description.hasPrefix(
        "\(file):\(line): no JSON Schema for Shape, for the answer to the prompt \"draw\"") == true)
  }

  @Test(arguments: 0..<22) func mistakeIsFoundAtStart(_ index: Int) {
    let (factory, message) = Self.mistakes[index]
    let app = App(root: .tabs([]), screens: [factory])
    let error = "\(#expect(throws: PortError.self) { try app.describe(SchemaCatalog()) } as Any)"
    #expect(error.contains(message), "\(error)")
    #expect(error.contains("OffstageTests/MeaningMistakeTests.swift:"), "\(error)")
    #expect(TestCore(app).faults.contains { $0.contains(message) })
  }
}
