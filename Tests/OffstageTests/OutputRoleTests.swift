import Offstage
import OffstageJSON
import Testing

@Suite @CoreActor struct OutputRoleTests {
  struct Place: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    let name: String
    let section: String
  }
  struct Header: Identifiable, Codable, Hashable, Sendable {
    let id: String
    let title: String
  }
  struct Problem: Codable, Hashable, Sendable {
    let message: String
    let isRetryable: Bool
  }
  struct Note: Codable, Hashable, Sendable { let message: String }
  struct Steps: Codable, Hashable, Sendable {
    let done: Int
    let total: Int
  }
  enum Order: String, Codable, CaseIterable, Sendable { case asc, desc }

  /// Ports whose names and types say what they are for.
  final class Inferred: Screen {
    static let kind = "inferred"
    struct Input: Ports {
      let orderPicked = Field(Order.asc)
      let reachedEnd = In<Trigger>(.end(of: \Output.places))
      let retry = In<Trigger>()
      let undoTapped = In<Trigger>()
      let confirm = In<Trigger>()
    }
    struct Output: Ports {
      let id = Out(7)
      let title = Out("")
      let subtitle = Out<String?>(nil)
      let places = Rows<Place>()
      let found = Rows<Place>()
      let sections = Rows<Header>()
      let isLoading = Out(false)
      let isLoadingFound = Out(false)
      let isLoadingMore = Out(false)
      let areFoundStale = Out(false)
      let staleSince = Out<Int?>(nil)
      let isStale = Out(false)
      let failure = Out<String?>(nil)
      let outcome = Out<Problem?>(nil)
      let deletedNotice = Out<String?>(nil)
      let upload = Out<Steps?>(nil)
      let progress = Out(0.5)
      let hasNoFound = Out(false)
      let hasMore = Out(false)
      let canConfirm = Out(false)
      let order = Out(Order.asc)
      let orders = Out(Order.allCases)
      let undoTitle = Out("", .label(for: \Input.undoTapped))
      let failed = Event<Problem>()
      let saved = Event<Note>()
      // Names that only look like one.
      let isPlaying = Out(false)
      let isMissing = Out(false)
      let count = Out(0)
      let progressText = Out("")
      let titleCount = Out(0)
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test(
    arguments: [
      ("id", #"{"x-role":"hidden"}"#),
      ("title", #"{"x-role":"title"}"#),
      ("subtitle", #"{"x-role":"subtitle"}"#),
      ("places", "{}"),
      ("sections", #"{"x-role":"sections","x-of":["places","found"]}"#),
      ("isLoading", #"{"x-role":"busy"}"#),
      ("isLoadingFound", #"{"x-role":"busy","x-of":["found"]}"#),
      ("isLoadingMore", #"{"x-role":"busy","x-of":["places"]}"#),
      ("areFoundStale", #"{"x-role":"stale","x-of":["found"]}"#),
      ("staleSince", #"{"x-role":"stale","format":"unix-time","x-unit":"s"}"#),
      ("isStale", #"{"x-role":"hidden"}"#),
      ("failure", #"{"x-role":"failure","x-retry":"retry"}"#),
      (
        "outcome",
        #"{"x-role":"failure","x-message":"message","x-retryable":"isRetryable","x-retry":"retry"}"#
      ),
      ("deletedNotice", #"{"x-role":"notice","x-actions":["undoTapped"]}"#),
      ("upload", #"{"x-role":"progress","x-done":"done","x-total":"total"}"#),
      ("progress", #"{"x-role":"progress"}"#),
      ("hasNoFound", #"{"x-role":"empty","x-of":["found"]}"#),
      ("hasMore", #"{"x-role":"more","x-of":["places"]}"#),
      ("canConfirm", #"{"x-role":"condition"}"#),
      ("order", #"{"x-role":"selection","x-input":"orderPicked"}"#),
      ("orders", #"{"x-role":"options","x-input":"orderPicked"}"#),
      ("undoTitle", #"{"x-role":"label","x-input":"undoTapped"}"#),
      (
        "failed",
        #"{"x-role":"failure","x-message":"message","x-retryable":"isRetryable","x-retry":"retry"}"#
      ),
      ("saved", #"{"x-role":"notice","x-message":"message","x-actions":["undoTapped"]}"#),
      ("isPlaying", "{}"),
      ("isMissing", "{}"),
      ("count", "{}"),
      ("progressText", "{}"),
      ("titleCount", "{}"),
    ])
  func rolesFollowFromNamesAndTypes(output: String, role: String) throws {
    let factory = ScreenFactory(Inferred.self) { _ in Inferred() }
    let description = try factory.describe(SchemaCatalog())
    let found = (description.outputs + description.events).first { $0.name == output }?.keywords
    #expect(try found.map(JSON.object) == JSON(parsing: role))
  }

  struct Fault: Codable, Hashable, Sendable {
    let code: Int
    let sentence: String
  }

  /// Ports whose names say nothing.
  final class Declared: Screen {
    static let kind = "declared"
    struct Input: Ports {
      let again = In<Trigger>()
      let takeBack = In<Trigger>()
      let pick = In<Order>()
    }
    struct Output: Ports {
      let a = Out("", .title)
      let b = Out(false, .busy(of: \Output.list, \Output.c))
      let c = Out<Fault?>(nil, .failure(message: \Fault.sentence, retry: \Input.again))
      let d = Out(false, .stale(of: \Output.list))
      let e = Event<String>(.notice(actions: \Input.takeBack))
      let f = Out(Steps(done: 1, total: 2), .progress(unit: "MB"))
      let g = Out<String?>(nil, .empty(of: \Output.list, actions: \Input.takeBack))
      let h = Out(Order.asc, .selection(of: \Input.pick))
      let list = Rows<Place>(.table(sortedBy: \Place.name))
      let i = Out([Steps(done: 1, total: 2)], .chart(x: \Steps.done, y: \Steps.total))
      let j = Out<Int?>(nil, [.money("KRW"), .hidden])
      // The author's word replaces what the name implies.
      let title = Out("")
      let isLoading = Out(false, .hidden)
    }
    let input = Input(), output = Output(), effects = Effects()
  }

  @Test(
    arguments: [
      ("a", #"{"x-role":"title"}"#),
      ("b", #"{"x-role":"busy","x-of":["list","c"]}"#),
      ("c", #"{"x-role":"failure","x-message":"sentence","x-retry":"again"}"#),
      ("d", #"{"x-role":"stale","x-of":["list"]}"#),
      ("e", #"{"x-role":"notice","x-actions":["takeBack"]}"#),
      ("f", #"{"x-role":"progress","x-done":"done","x-total":"total"}"#),
      ("g", #"{"x-role":"empty","x-of":["list"],"x-actions":["takeBack"]}"#),
      ("h", #"{"x-role":"selection","x-input":"pick"}"#),
      ("list", #"{"x-role":"table","x-sortedBy":"name"}"#),
      ("i", #"{"x-role":"chart","x-x":"done","x-y":"total"}"#),
      ("j", #"{"x-role":"hidden"}"#),
      ("title", "{}"),
      ("isLoading", #"{"x-role":"hidden"}"#),
    ])
  func rolesAreWhatTheAuthorSays(output: String, role: String) throws {
    let factory = ScreenFactory(Declared.self) { _ in Declared() }
    let description = try factory.describe(SchemaCatalog())
    let found = (description.outputs + description.events).first { $0.name == output }?.keywords
    #expect(try found.map(JSON.object) == JSON(parsing: role))
  }

  @Test func valuesOfNullableOutputsKeepTheirKeywords() throws {
    let factory = ScreenFactory(Declared.self) { _ in Declared() }
    let description = try factory.describe(SchemaCatalog())
    #expect(
      description.outputs.first { $0.name == "j" }?.schema
        == ["type": ["integer", "null"], "format": "money", "x-currency": "KRW"])
  }

  // MARK: Members

  struct Row: Identifiable, Codable, Sendable, SchemaAnnotated {
    let id: Int
    let code: String
    let name: String?
    let picture: String
    let coverAlt: String
    let unreadCount: Int
    let section: String
    let isDone: Bool
    let isBookmarked: Bool
    let isOpen: Bool
    let progress: Double?
    let pieces: [String]
    let price: Int?

    static var meanings: [PartialKeyPath<Self>: Meaning] {
      [\.picture: .picture(.avatar), \.price: [.money("KRW"), .accessory]]
    }
  }
  /// Progress by its members, under a name that says nothing.
  struct Download: Identifiable, Codable, Sendable, SchemaAnnotated {
    let id: Int
    let name: String
    let packed: Steps?
    let megabytes: Steps

    static var meanings: [PartialKeyPath<Self>: Meaning] { [\.megabytes: .progress(unit: "MB")] }
  }
  struct Box: Identifiable, Codable, Sendable {
    let id: Int
    let packed: Steps?
  }
  struct Untitled: Identifiable, Codable, Sendable {
    let id: Int
    let at: String
    let text: String
  }
  /// Not a row: nothing is certain about its first text.
  struct Pair: Codable, Sendable {
    let first: String
    let second: String
  }
  struct Point: Codable, Sendable {
    let latitude: Double
    let longitude: Double
  }

  @Test func membersHaveRoles() throws {
    try check(
      Row.self,
      #"{"id":"hidden","name":"title","picture":"picture","coverAlt":"alt","unreadCount":"badge","#
        + #""section":"section","isDone":"state","isBookmarked":"state","progress":"progress","#
        + #""pieces":"text","price":"accessory"}"#)
    try check(Untitled.self, #"{"id":"hidden","at":"title"}"#)
    try check(Pair.self, "{}")
    try check(Point.self, "{}")
  }

  private func check(_ type: any Decodable.Type, _ roles: String) throws {
    let catalog = SchemaCatalog(labels: nil)
    _ = try catalog.schema(of: type)
    let members = catalog.schemas.members[0].value["properties"]?.object?.members ?? []
    let found = members.compactMap { member in
      member.value["x-role"].map { (key: member.key, value: $0) }
    }
    #expect(try JSON.object(JSONObject(found)) == JSON(parsing: roles))
  }

  @Test func progressOfAMemberNamesItsCounts() throws {
    let catalog = SchemaCatalog(labels: nil)
    _ = try catalog.schema(of: Download.self)
    _ = try catalog.schema(of: Box.self)
    let member = { (type: String, name: String) in catalog.schemas[type]?["properties"]?[name] }
    let declared = member("OutputRoleTestsDownload", "megabytes")
    #expect(declared?["x-role"] == "progress")
    #expect(declared?["x-done"] == "done")
    #expect(declared?["x-total"] == "total")
    #expect(declared?["x-unit"] == "MB")
    // A row has one progress, and the author says which.
    #expect(member("OutputRoleTestsDownload", "packed")?["x-role"] == nil)
    let inferred = member("OutputRoleTestsBox", "packed")
    #expect(inferred?["x-role"] == "progress")
    #expect(inferred?["x-done"] == "done")
    #expect(inferred?["x-total"] == "total")
  }

  @Test func statesSayWhich() throws {
    let catalog = SchemaCatalog(labels: nil)
    _ = try catalog.schema(of: Row.self)
    let members = catalog.schemas.members[0].value["properties"]
    #expect(members?["isDone"]?["x-state"] == "done")
    #expect(members?["isBookmarked"]?["x-state"] == "favorite")
  }

  @Test func aPairOfDegreesIsACoordinate() throws {
    let catalog = SchemaCatalog(labels: nil)
    _ = try catalog.schema(of: Point.self)
    #expect(catalog.schemas.members[0].value["format"] == "coordinate")
  }

  /// A part in a list is a row, and its outputs are the members.
  @Test func outputsOfRowsHaveRolesOfMembers() throws {
    let catalog = SchemaCatalog()
    let description = try ScreenDescription(Line.self, named: "Line", "the part Line", catalog)
    let found = description.outputs.map { ($0.name, JSON.object($0.keywords)) }
    #expect(
      JSON.object(JSONObject(found)) == [
        "label": ["x-role": "title"], "isSelected": ["x-role": "state", "x-state": "selected"],
        "count": ["x-role": "badge"],
      ])
  }

  final class Line: Part, Identifiable {
    struct Input: Ports {}
    struct Output: Ports {
      let label = Out("")
      let isSelected = Out(false)
      let count = Out(0, .badge)
    }
    let input = Input(), output = Output(), effects = Effects()
    let id = 1
  }
}
