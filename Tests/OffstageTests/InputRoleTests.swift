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
      let nameTapped = In<String>(.row(of: \Output.places, taking: \.name))
      let itemTapped = In<GroupItem>(.row(of: \Output.groups, \.items, as: \.group, \.item))
      let count = In<Int>()
      let note = In<String>(.value)
      let placeSwiped = In<Int>()
      let placeMoved = In<Move>()
      let groupDropped = In<Insertion>(.move(in: \Output.groups, \.group, before: \.next))
      let groupMoved = In<Insertion>()
      let newPasswordText = Field("")
      let codeText = Field("", roles: .secret)
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
      ("nameTapped", #"{"x-role":"row","x-rows":[{"list":"places","member":"name"}]}"#),
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
      ("newPasswordText", #"{"x-role":"text","x-secret":true}"#),
      ("codeText", #"{"x-role":"text","x-secret":true}"#),
    ])
  func rolesFollowFromNamesTypesAndWords(input: String, role: String) throws {
    let factory = ScreenFactory(Everything.self) { _ in Everything() }
    let description = try factory.describe(SchemaCatalog())
    let found = description.inputs.first { $0.name == input }?.keywords
    #expect(try found.map(JSON.object) == JSON(parsing: role))
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
    #expect(schema?["enum"] == [true, false, nil])
  }
}
