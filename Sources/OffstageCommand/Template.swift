/// The files of a new app.
enum Template {
  typealias File = (path: String, text: String)

  /// The package of an app without screens.
  /// - Parameter offstage: the path of the package Offstage.
  static func app(_ name: AppName, offstage: String) -> [File] {
    [
      ("Package.swift", package(name, offstage)), (".gitignore", ".build/\n"),
      ("README.md", readme(name)), ("Sources/\(name.module)/\(name.type)App.swift", main(name)),
      ("Tests/\(name.module)Tests/TranscriptTests.swift", transcriptTests(name)),
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
        App(
          root: .stack(Route(Home.self)),
          screens: [
          ])
      }

      static func main() { program.run() }
    }

    """
  }

  private static func screen(_ name: ScreenName) -> String {
    """
    import Offstage

    /// A list to add to and remove from.
    final class \(name.type): Screen {
      static let kind = "\(name.kind)"

      struct Item: Identifiable, Codable, Hashable, Sendable {
        let id: Int
        let text: String
      }

      struct Input: Ports {
        let newText = In<String>("")
        let add = In<Trigger>()
        let itemTapped = In<Int>()
      }

      struct Output: Ports {
        let items = Rows<Item>()
        let canAdd = Out(false)
      }

      let input = Input()
      let output = Output()
      let effects = Effects()

      private var lastID = 0

      init() {
        output.canAdd.derive { [input] in input.newText.value?.isEmpty == false }
        input.add.observe { [self] in add() }
        input.itemTapped.observe { [self] in output.items.remove($0) }
      }

      private func add() {
        guard output.canAdd.value, let text = input.newText.value else { return }
        lastID += 1
        output.items.append(Item(id: lastID, text: text))
        input.newText.send("")
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
      @Test func addingNeedsText() {
        let screen = TestCore().show { \(name.type)() }
        screen.input.add.send()
        #expect(screen.output.items.values.isEmpty)

        screen.input.newText.send("Milk")
        screen.input.add.send()
        #expect(screen.output.items.values.map(\\.text) == ["Milk"])
        #expect(!screen.output.canAdd.value)
      }
    }

    """
  }

  private static func transcriptTests(_ name: AppName) -> String {
    """
    import Foundation
    import OffstageTesting
    import Testing

    @testable import \(name.module)

    /// Replays every recording in the folder `Transcripts`.
    struct TranscriptTests {
      static let files = try! FileManager.default.contentsOfDirectory(atPath: "Transcripts")
        .filter { $0.hasSuffix(".transcript") }

      @Test(arguments: files)
      func replays(_ file: String) async throws {
        let text = try String(contentsOfFile: "Transcripts/\\(file)", encoding: .utf8)
        #expect(try await check(transcript: text, file: file, with: \(name.type)App.program) == [])
      }
    }

    """
  }

  private static func transcript(_ name: ScreenName, program: String) -> String {
    """
    # Adding clears the text, and a tap removes an item.
    $ \(program) --deterministic --root \(name.kind)

    > {"jsonrpc":"2.0","id":1,"method":"input","params":{"screen":"1","name":"newText","value":"Milk"}}
    > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"add"}}
    > {"jsonrpc":"2.0","id":3,"method":"input","params":{"screen":"1","name":"itemTapped","value":1}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":1,
      "patch":[{"op":"replace","path":"",
      "value":{"navigation":{"root":{"type":"stack","screens":["1"]},"presented":[],"modals":[]},
      "screens":{"1":{"kind":"\(name.kind)","output":{"items":[],"canAdd":false}}},"prompts":{}}}],
      "navigation":[{"type":"setRoot","screens":["1"]}]}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":1,
      "patch":[{"op":"replace","path":"/screens/1/output/canAdd","value":true}]}}
    < {"jsonrpc":"2.0","id":1,"result":{"revision":2}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":3,"cause":2,
      "patch":[{"op":"add","path":"/screens/1/output/items/0","value":{"id":1,"text":"Milk"}},
      {"op":"replace","path":"/screens/1/output/canAdd","value":false}]}}
    < {"jsonrpc":"2.0","id":2,"result":{"revision":3}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":4,"cause":3,
      "patch":[{"op":"remove","path":"/screens/1/output/items/0"}]}}
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
    | `swift test` | runs the unit tests and replays the recordings in `Transcripts` |
    | `.build/debug/\(name.module) --deterministic --record FILE` | records what you send to it |
    | `.build/debug/\(name.module) replay Transcripts/*.transcript` | replays recordings against the build |
    | `.build/debug/\(name.module) describe` | prints what the screens take and show |
    | `offstage new screen NAME` | adds a screen, its test, and its recording |

    For a small binary, import `FoundationEssentials` instead of `Foundation`, and build with
    `swift build -c release --static-swift-stdlib`: Foundation adds some 44 MB.

    """
  }
}
