import Offstage
import OffstageHost
import OffstageLive
import OffstageTesting
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// E.6 on the wire, on a database that refuses to keep bookmarks. No command line of the program
/// brings that about, so this run is not among the transcripts.
@Suite struct FailingSaveTests {
  @Test func unsavedBookmarkIsRolledBack() async throws {
    let database = try Database(.memory, execution: .inline)
    try await database.write {
      try $0.execute(
        script: """
          CREATE TRIGGER full BEFORE INSERT ON library_bookmarks WHEN NEW.title = 'jaws'
          BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
          """)
    }
    let program = Program("showcase", version: "test") { environment in
      var dependencies = try Dependencies.stored(in: database)
      dependencies.set(.clock, to: environment.clock)
      var app = try CoreBuilder.app(dependencies)
      app.root = .stack(Route(Library.self))
      return app
    }
    let differences = try await check(
      transcript: Self.transcript, file: #filePath, with: program)
    for difference in differences { Issue.record("\(difference)") }
  }

  private static let transcript = #"""
    $ showcase --deterministic

    > {"jsonrpc":"2.0","id":1,"method":"input","params":{"screen":"1","name":"didAppear","settle":true}}
    < "$_"
    < "$_"
    < "$_"
    < {"jsonrpc":"2.0","id":1,"result":{"revision":3}}

    > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"bookmarkTapped","value":{"shelf":"films","card":"jaws"},"settle":true}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":4,"cause":2,
      "patch":[{"op":"add","path":"/screens/1/output/shelves/1/cards/0","value":{"style":"poster","id":"jaws",
      "title":"Jaws","image":"$_","badge":{"kind":"star"},"canBeBookmarked":true,"selection":{"key":"jaws"}}},
      {"op":"replace","path":"/screens/1/output/shelves/4/cards/6/badge","value":{"kind":"star"}}]}}
    < {"jsonrpc":"2.0","method":"frame","params":{"revision":5,"cause":2,
      "patch":[{"op":"remove","path":"/screens/1/output/shelves/1/cards/0"},
      {"op":"replace","path":"/screens/1/output/shelves/4/cards/6/badge","value":null}],
      "events":[{"screen":"1","name":"failed","value":{"reason":"storage","message":"$_",
      "retryable":false}}]}}
    < {"jsonrpc":"2.0","id":2,"result":{"revision":5}}
    = exit 0
    """#
}
