/// The files of a new app.
enum Template {
  typealias File = (path: String, text: String)

  /// The package of an app with one screen.
  /// - Parameter offstage: the path of the package Offstage.
  static func app(_ name: AppName, offstage: String) -> [File] {
    [
      ("Package.swift", package(name, offstage)), (".gitignore", ".build/\n"),
      ("README.md", readme(name)),
      ("Sources/\(name.module)/\(name.type)App.swift", main(name)),
      ("Sources/\(name.module)/Item.swift", item),
      ("Sources/\(name.module)/Home.swift", home),
      ("Tests/\(name.module)Tests/HomeTests.swift", homeTests(name)),
      ("Tests/\(name.module)Tests/TranscriptTests.swift", transcriptTests(name)),
      ("Transcripts/home.transcript", homeTranscript(name)),
    ]
  }

  /// A screen, its unit test, and its transcript.
  static func screen(_ name: ScreenName, module: String) -> [File] {
    [
      ("Sources/\(module)/\(name.type).swift", screen(name)),
      ("Tests/\(module)Tests/\(name.type)Tests.swift", tests(name, module)),
      ("Transcripts/\(name.kind).transcript", transcript(name, program: module)),
    ]
  }

  private static func package(_ name: AppName, _ offstage: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name.package)",
      platforms: [.macOS(.v15)],
      dependencies: [.package(name: "offstage", path: "\(offstage)")],
      targets: [
        .executableTarget(
          name: "\(name.module)", dependencies: [.product(name: "Offstage", package: "offstage")]),
        .testTarget(
          name: "\(name.module)Tests",
          dependencies: ["\(name.module)", .product(name: "OffstageTesting", package: "offstage")]),
      ]
    )

    """
  }

  private static func main(_ name: AppName) -> String {
    """
    import Offstage
    import OffstageHost

    @main enum \(name.type)App {
      static let program = Program("\(name.module)", version: "1.0") { _ in
        var dependencies = Dependencies()
        dependencies.set(.items, to: MemoryStore())
        return App(
          root: .stack(Route(Home.self)),
          dependencies: dependencies,
          screens: [
            ScreenFactory(Home.self) { Home(store: try $0[.items]) },
          ])
      }

      static func main() { program.run() }
    }

    """
  }

  private static let item = #"""
    import Offstage

    struct Item: Identifiable, Codable, Hashable, Sendable {
      let id: Int
      var title: String
    }

    /// The items on a server or a disk. A test replaces it.
    protocol ItemStore: Sendable {
      func items() async throws -> [Item]
      /// - Throws: `ItemError` for a title that is taken.
      func add(_ title: String) async throws -> Item
    }

    struct ItemError: Error, CustomStringConvertible {
      let description: String
    }

    extension Dependencies.Key<any ItemStore> {
      static let items = Self("items")
    }

    /// Items in memory, until the app has a database.
    actor MemoryStore: ItemStore {
      private var stored: [Item] = []
      private var lastID = 0

      func items() -> [Item] { stored }

      func add(_ title: String) throws -> Item {
        guard !stored.contains(where: { $0.title == title }) else {
          throw ItemError(description: "\(title) is on the list already.")
        }
        lastID += 1
        let item = Item(id: lastID, title: title)
        stored.append(item)
        return item
      }
    }

    """#

  private static let home = """
    import Offstage

    /// A list, and a form that adds to it.
    final class Home: Screen {
      static let kind = "home"

      struct Input: Ports {
        let titleText = Field("", .required, .length(...40))
        let add = In<Trigger>()
      }

      struct Output: Ports {
        let items = Rows<Item>()
        let canAdd = Out(false)
        let isAdding = Out(false)
      }

      let input = Input()
      let output = Output()
      let effects = Effects()

      init(store: any ItemStore) {
        effects.run("load") { [output] in output.items.reset(to: try await store.items()) }
        output.canAdd.derive { [input] in input.titleText.isValid }
        output.isAdding.bind(effects.activity("add"))
        input.add.observe { [self] in
          guard input.titleText.validate() else { return }
          effects.run("add", .keepFirst) { [self] in
            output.items.append(try await store.add(input.titleText.value))
            input.titleText.reset(to: "")
          } catch: { [input] error in
            input.titleText.error = "\\(error)"
          }
        }
      }
    }

    """

  private static func homeTests(_ name: AppName) -> String {
    """
    import Offstage
    import OffstageTesting
    import Testing

    @testable import \(name.module)

    @CoreActor
    struct HomeTests {
      @Test func addingClearsTheField() async {
        let core = TestCore()
        let home = core.show { Home(store: MemoryStore()) }
        #expect(!home.output.canAdd.value)
        home.input.titleText.send("Milk")
        home.input.add.send()
        await core.settle()
        #expect(home.output.items.values.map(\\.title) == ["Milk"])
        #expect(home.input.titleText.value == "")
      }

      @Test func errorOfTheStoreIsShownBesideTheField() async {
        let core = TestCore()
        let home = core.show { Home(store: BrokenStore()) }
        home.input.titleText.send("Milk")
        home.input.add.send()
        await core.settle()
        #expect(home.input.titleText.error == "The disk is full.")
        #expect(home.input.titleText.value == "Milk")
      }
    }

    struct BrokenStore: ItemStore {
      func items() -> [Item] { [] }
      func add(_ title: String) throws -> Item { throw ItemError(description: "The disk is full.") }
    }

    """
  }

  private static func transcriptTests(_ name: AppName) -> String {
    """
    import OffstageTesting
    import Testing

    @testable import \(name.module)

    @Test(arguments: try transcripts(in: "Transcripts"))
    func replays(_ path: String) async throws {
      for difference in try await check(transcriptAt: path, with: \(name.type)App.program) {
        Issue.record("\\(difference)")
      }
    }

    """
  }

  private static func homeTranscript(_ name: AppName) -> String {
    """
    # An item that is on the list already is refused, with the message beside the field.
    $ \(name.module) --deterministic

    > {"jsonrpc":"2.0","id":1,"method":"input","params":{"screen":"1","name":"titleText","value":"Milk"}}
    > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"add"}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":1,
      "patch":[{"op":"replace","path":"",
      "value":{"navigation":{"root":{"type":"stack","screens":["1"]},"presented":[],"modals":[]},
      "screens":{"1":{"kind":"home","output":{"items":[],"canAdd":false,"isAdding":false},
      "fields":{"titleText":{"value":"","error":null}}}},"prompts":{}}}],
      "navigation":[{"type":"setRoot","screens":["1"]}]}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":1,
      "patch":[{"op":"replace","path":"/screens/1/fields/titleText/value","value":"Milk"},
      {"op":"replace","path":"/screens/1/output/canAdd","value":true}]}}
    < {"jsonrpc":"2.0","id":1,"result":{"revision":2}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":3,"cause":2,
      "patch":[{"op":"replace","path":"/screens/1/output/isAdding","value":true}]}}
    < {"jsonrpc":"2.0","id":2,"result":{"revision":3}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":4,"cause":2,
      "patch":[{"op":"add","path":"/screens/1/output/items/0","value":{"id":1,"title":"Milk"}},
      {"op":"replace","path":"/screens/1/fields/titleText/value","value":""},
      {"op":"replace","path":"/screens/1/output/isAdding","value":false},
      {"op":"replace","path":"/screens/1/output/canAdd","value":false}]}}

    > {"jsonrpc":"2.0","id":3,"method":"input","params":{"screen":"1","name":"titleText","value":"Milk"}}
    > {"jsonrpc":"2.0","id":4,"method":"input","params":{"screen":"1","name":"add"}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":5,"cause":3,
      "patch":[{"op":"replace","path":"/screens/1/fields/titleText/value","value":"Milk"},
      {"op":"replace","path":"/screens/1/output/canAdd","value":true}]}}
    < {"jsonrpc":"2.0","id":3,"result":{"revision":5}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":6,"cause":4,
      "patch":[{"op":"replace","path":"/screens/1/output/isAdding","value":true}]}}
    < {"jsonrpc":"2.0","id":4,"result":{"revision":6}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":7,"cause":4,
      "patch":[{"op":"replace","path":"/screens/1/output/isAdding","value":false},
      {"op":"replace","path":"/screens/1/fields/titleText/error",
      "value":"Milk is on the list already."}]}}
    = exit 0

    """
  }

  private static func screen(_ name: ScreenName) -> String {
    """
    import Offstage

    /// Asks for a name and returns it.
    final class \(name.type): Screen {
      static let kind = "\(name.kind)"

      typealias Result = String

      struct Input: Ports {
        let nameText = Field("", .required)
        let confirm = In<Trigger>()
      }

      struct Output: Ports {
        let canConfirm = Out(false)
      }

      let input = Input()
      let output = Output()
      let effects = Effects()

      init() {
        output.canConfirm.derive { [input] in input.nameText.isValid }
        input.confirm.observe { [self] in
          if input.nameText.validate() { finish(input.nameText.value) }
        }
      }
    }

    """
  }

  private static func tests(_ name: ScreenName, _ module: String) -> String {
    """
    import Offstage
    import OffstageTesting
    import Testing

    @testable import \(module)

    @CoreActor
    struct \(name.type)Tests {
      @Test func confirmNeedsAName() {
        let screen = TestCore().show { \(name.type)() }
        screen.input.confirm.send()
        #expect(screen.input.nameText.error == "This is required.")
        screen.input.nameText.send("Kim")
        #expect(screen.output.canConfirm.value)
      }
    }

    """
  }

  private static func transcript(_ name: ScreenName, program: String) -> String {
    """
    # A name is required, and returned.
    $ \(program) --deterministic --root \(name.kind)

    > {"jsonrpc":"2.0","id":1,"method":"input","params":{"screen":"1","name":"confirm"}}
    > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"nameText","value":"Kim"}}
    > {"jsonrpc":"2.0","id":3,"method":"input","params":{"screen":"1","name":"confirm"}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":1,
      "patch":[{"op":"replace","path":"",
      "value":{"navigation":{"root":{"type":"stack","screens":["1"]},"presented":[],"modals":[]},
      "screens":{"1":{"kind":"\(name.kind)","output":{"canConfirm":false},
      "fields":{"nameText":{"value":"","error":null}}}},"prompts":{}}}],
      "navigation":[{"type":"setRoot","screens":["1"]}]}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":1,
      "patch":[{"op":"replace","path":"/screens/1/fields/nameText/error","value":"This is required."}]}}
    < {"jsonrpc":"2.0","id":1,"result":{"revision":2}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":3,"cause":2,
      "patch":[{"op":"replace","path":"/screens/1/fields/nameText/value","value":"Kim"},
      {"op":"replace","path":"/screens/1/fields/nameText/error","value":null},
      {"op":"replace","path":"/screens/1/output/canConfirm","value":true}]}}
    < {"jsonrpc":"2.0","id":2,"result":{"revision":3}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":4,"cause":3,
      "events":[{"screen":"1","name":"finished","value":"Kim"}]}}
    < {"jsonrpc":"2.0","id":3,"result":{"revision":4}}
    = exit 0

    """
  }

  private static func readme(_ name: AppName) -> String {
    """
    # \(name.type)

    An app without its user interface, written with Offstage.

    | command | what it does |
    |---|---|
    | `swift build` | builds the core, `.build/debug/\(name.module)` |
    | `.build/debug/\(name.module) --watch` | serves, and rebuilds the app when a source file changes |
    | `swift test` | runs the unit tests and replays the recordings in `Transcripts` |
    | `.build/debug/\(name.module) --deterministic --record FILE` | records what you send to it |
    | `.build/debug/\(name.module) replay Transcripts` | replays the recordings against the build |
    | `.build/debug/\(name.module) describe` | prints what the screens take and show |
    | `offstage new screen NAME` | adds a screen, its test, and its recording |

    For a small binary, import `FoundationEssentials` instead of `Foundation`, and build with
    `swift build -c release --static-swift-stdlib`: Foundation adds some 44 MB.

    """
  }
}
