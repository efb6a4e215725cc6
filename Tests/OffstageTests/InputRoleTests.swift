import Offstage
import OffstageJSON
import Testing

@Suite @CoreActor struct InputRoleTests {
  struct Place: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    let name: String
  }
  struct PlaceMarker: Identifiable, Codable, Hashable, Sendable { let id: Int }
  struct Group: Identifiable, Codable, Hashable, Sendable {
    let id: String
    let items: [Place]
  }
  struct GroupItem: Codable, Sendable {
    let group: String
    let item: Int
  }
  struct Move: Codable, Sendable {
    let id: Int
    let before: Int?
  }
  struct Insertion: Codable, Sendable {
    let group: String
    let next: String?
  }
  enum Order: String, Codable, CaseIterable, Sendable { case asc, desc }
  struct PlaceOrder: Codable, Equatable, Sendable {
    var column = "id"
    var isDescending = false
  }

  final class Leaf: Part, Identifiable {
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
    let id = 1
  }

  final class Everything: Screen {
    static let kind = "everything"
    struct Input: Ports {
      let didAppear = In<Trigger>()
      let didDisappear = In<Trigger>()
      let reachedEnd = In<Trigger>(.end(of: \Output.places))
      let partsEnded = In<Trigger>(.end(of: \Output.parts))
      let confirm = In<Trigger>()
      let sendTapped = In<Trigger>()
      let stop = In<Trigger>(.enabled(by: \Output.isBusy))
      let queryText = In<String?>()
      let nameText = Field("")
      let orderPicked = In<Order>()
      let answerPicked = In<Bool?>()
      let favoriteSwitched = In<Bool>()
      let placeTapped = In<Int>()
      let groupTapped = In<String>()
      let itemTapped = In<GroupItem>(.row(of: \Output.groups, \.items, as: \.group, \.item))
      let count = In<Int>()
      let note = In<String>(.value)
      let placeSwiped = In<Int>()
      let placeMoved = In<Move>()
      let groupDropped = In<Insertion>(.move(in: \Output.groups, \.group, before: \.next))
      let groupMoved = In<Insertion>()
      let order = Field(
        PlaceOrder(), roles: .sort(of: \Output.places, by: \.column, descending: \.isDescending))
      let newPasswordText = Field("")
      let codeText = Field("", roles: .secret)
      let scanDropped = In<PickedFile>()
      let pictureDropped = In<PickedFile>(.file(types: ["image/*"], maxBytes: 3))
    }
    struct Output: Ports {
      let places = Rows<Place>()
      let parts = Children<Leaf>()
      let markers = Rows<PlaceMarker>()
      let groups = Rows<Group>()
      let isConfirmEnabled = Out(false)
      let canSend = Out(false)
      let isBusy = Out(false)
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test(
    arguments: [
      ("didAppear", #"{"x-role":"lifecycle","x-when":"appear"}"#),
      ("didDisappear", #"{"x-role":"lifecycle","x-when":"disappear"}"#),
      ("reachedEnd", #"{"x-role":"lifecycle","x-when":"end","x-rows":[{"list":"places"}]}"#),
      ("partsEnded", #"{"x-role":"lifecycle","x-when":"end","x-rows":[{"list":"parts"}]}"#),
      (
        "confirm",
        #"{"x-role":"trigger","x-enabledBy":"isConfirmEnabled","x-weight":"main"}"#
      ),
      ("sendTapped", #"{"x-role":"trigger","x-enabledBy":"canSend"}"#),
      ("stop", #"{"x-role":"trigger","x-enabledBy":"isBusy"}"#),
      ("queryText", #"{"x-role":"text","x-purpose":"search"}"#),
      ("nameText", #"{"x-role":"text"}"#),
      ("orderPicked", #"{"x-role":"choice"}"#),
      ("answerPicked", #"{"x-role":"choice"}"#),
      ("favoriteSwitched", #"{"x-role":"toggle"}"#),
      (
        "placeTapped",
        #"{"x-role":"row","x-rows":[{"list":"places","member":"id"},{"list":"markers","member":"id"}]}"#
      ),
      ("groupTapped", #"{"x-role":"row","x-rows":[{"list":"groups","member":"id"}]}"#),
      (
        "itemTapped",
        #"{"x-role":"row","x-rows":[{"list":"groups/*/items","members":"#
          + #"{"group":"groups/*/id","item":"groups/*/items/*/id"}}]}"#
      ),
      ("count", #"{"x-role":"value"}"#),
      ("note", #"{"x-role":"value"}"#),
      (
        "placeSwiped",
        #"{"x-role":"row","x-rows":[{"list":"places","member":"id"},{"list":"markers","member":"id"}]}"#
      ),
      (
        "placeMoved",
        #"{"x-role":"move","x-rows":[{"list":"places","members":{"id":"places/*/id"},"before":"before"},"#
          + #"{"list":"markers","members":{"id":"markers/*/id"},"before":"before"}]}"#
      ),
      (
        "groupDropped",
        #"{"x-role":"move","x-rows":[{"list":"groups","members":{"group":"groups/*/id"},"before":"next"}]}"#
      ),
      ("groupMoved", #"{"x-role":"value"}"#),
      (
        "order",
        #"{"x-role":"sort","x-rows":[{"list":"places","column":"column","descending":"isDescending"}]}"#
      ),
      ("newPasswordText", #"{"x-role":"text","x-secret":true}"#),
      ("codeText", #"{"x-role":"text","x-secret":true}"#),
      ("scanDropped", #"{"x-role":"file","x-accepts":{"types":[],"maxBytes":8388608}}"#),
      ("pictureDropped", #"{"x-role":"file","x-accepts":{"types":["image/*"],"maxBytes":3}}"#),
    ])
  func rolesFollowFromNamesTypesAndWords(input: String, role: String) throws {
    let factory = ScreenFactory(Everything.self) { _ in Everything() }
    let description = try factory.describe(SchemaCatalog())
    let found = description.inputs.first { $0.name == input }?.keywords
    #expect(try found.map(JSON.object) == JSON(parsing: role))
  }

  struct Song: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    let isBookmarked: Bool
    let isLoud: Bool
  }

  /// A form, and actions on rows.
  final class Weighty: Screen {
    static let kind = "weighty"
    struct Input: Ports {
      let emailText = Field("")
      let urlText = Field("")
      let phoneText = Field("")
      let messageText = Field("")
      let bodyText = Field<String?>(nil)
      let nickname = Field("", roles: .name)
      let dayText = Field("", roles: .date)
      let searchText = Field("")
      let findText = Field("", roles: .search(in: \Output.songs))
      let clear = In<Trigger>()
      let createAccountTapped = In<Trigger>()
      let save = In<Trigger>()
      let signOutTapped = In<Trigger>()
      let songDeleted = In<Int>()
      let bookmarkTapped = In<Int>()
      let loudnessTapped = In<Int>(.row(of: \Output.songs), .shows(\Song.isLoud))
      let closeTapped = In<Trigger>()
      let closeAll = In<Trigger>()
      let leave = In<Trigger>(.cancel, .visible(by: \Output.isOpen))
      let refreshTapped = In<Trigger>()
      let refreshAll = In<Trigger>()
      let lookAnew = In<Trigger>(.refresh)
    }
    struct Output: Ports {
      let songs = Rows<Song>()
      let isOpen = Out(false)
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  nonisolated private static let song = #""x-role":"row","x-rows":[{"list":"songs","member":"id"}]"#

  @Test(
    arguments: [
      ("emailText", #"{"x-role":"text","x-purpose":"email"}"#),
      ("urlText", #"{"x-role":"text","x-purpose":"url"}"#),
      ("phoneText", #"{"x-role":"text","x-purpose":"phone"}"#),
      ("messageText", #"{"x-role":"text","x-purpose":"long"}"#),
      ("bodyText", #"{"x-role":"text","x-purpose":"long"}"#),
      ("nickname", #"{"x-role":"text","x-purpose":"name"}"#),
      ("dayText", #"{"x-role":"text"}"#),
      ("searchText", #"{"x-role":"text","x-purpose":"search","x-rows":[{"list":"songs"}]}"#),
      ("findText", #"{"x-role":"text","x-purpose":"search","x-rows":[{"list":"songs"}]}"#),
      ("clear", #"{"x-role":"trigger","x-weight":"destructive"}"#),
      ("createAccountTapped", #"{"x-role":"trigger","x-weight":"main"}"#),
      ("save", #"{"x-role":"trigger"}"#),
      ("signOutTapped", #"{"x-role":"trigger","x-weight":"destructive"}"#),
      ("songDeleted", "{\(song),\"x-weight\":\"destructive\"}"),
      ("bookmarkTapped", "{\(song),\"x-shows\":\"songs/*/isBookmarked\"}"),
      ("loudnessTapped", "{\(song),\"x-shows\":\"songs/*/isLoud\"}"),
      ("closeTapped", #"{"x-role":"trigger","x-weight":"cancel"}"#),
      ("closeAll", #"{"x-role":"trigger"}"#),
      ("leave", #"{"x-role":"trigger","x-weight":"cancel","x-visibleBy":"isOpen"}"#),
      ("refreshTapped", #"{"x-role":"trigger","x-purpose":"refresh"}"#),
      ("refreshAll", #"{"x-role":"trigger"}"#),
      ("lookAnew", #"{"x-role":"trigger","x-purpose":"refresh"}"#),
    ])
  func weightsAndPurposesFollowFromNames(input: String, role: String) throws {
    let factory = ScreenFactory(Weighty.self) { _ in Weighty() }
    let description = try factory.describe(SchemaCatalog())
    let found = description.inputs.first { $0.name == input }?.keywords
    #expect(try found.map(JSON.object) == JSON(parsing: role))
    if input == "dayText" {
      #expect(description.inputs.first { $0.name == input }?.schema["format"] == "date")
    }
  }

  /// Return in the search field must not press a button.
  @Test func aSearchIsNoForm() throws {
    final class Searching: Screen {
      static let kind = "searching"
      struct Input: Ports {
        let searchText = Field("")
        let add = In<Trigger>()
      }
      struct Output: Ports {}
      let input = Input(), output = Output(), effects = Effects()
    }
    let description = try ScreenFactory(Searching.self) { _ in Searching() }
      .describe(SchemaCatalog())
    #expect(description.inputs.allSatisfy { $0.keywords["x-weight"] == nil })
  }

  @Test func aTriggerTakesNull() throws {
    let description = try ScreenFactory(Weighty.self) { _ in Weighty() }.describe(SchemaCatalog())
    #expect(description.inputs.first { $0.name == "save" }?.schema == ["type": "null"])
  }

  final class Dangling: Screen {
    static let kind = "dangling"
    struct Input: Ports { let stop = In<Trigger>(.enabled(by: \Everything.Output.isBusy)) }
    struct Output: Ports { let isBusy = Out(false) }
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test func referencesToOtherScreensAreRefusedAtStart() {
    let app = App(
      root: .stack(Route(Dangling.self)),
      screens: [ScreenFactory(Dangling.self) { _ in Dangling() }])
    let error = #expect(throws: PortError.self) { try app.describe(SchemaCatalog()) }
    #expect(
      "\(error as Any)".contains(
        #"the input "stop" of the screen "dangling" refers to \Output.isBusy"#))
  }

  final class Branch: Screen {
    static let kind = "branch"
    struct Input: Ports { let reachedEnd = In<Trigger>() }
    struct Output: Ports { let leaves = Children<Leaf>() }
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test func theOnlyListIsTheOneThatEnds() throws {
    let description = try ScreenFactory(Branch.self) { _ in Branch() }.describe(SchemaCatalog())
    let role: JSON = ["x-role": "lifecycle", "x-when": "end", "x-rows": [["list": "leaves"]]]
    #expect(description.inputs.first.map { JSON.object($0.keywords) } == role)
  }

  @Test func anOptionalBooleanIsAChoiceOfThree() throws {
    let factory = ScreenFactory(Everything.self) { _ in Everything() }
    let description = try factory.describe(SchemaCatalog())
    let schema = description.inputs.first { $0.name == "answerPicked" }?.schema
    #expect(schema?["enum"] == [true, false, .null])
    #expect(schema?["x-titles"] == ["true": "Yes", "false": "No", "null": "None"])
  }
}
