import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// `--watch`, with a `swift build` that replaces a copy of the fixture. `Tests/Apps/watch` rebuilds
  /// an app with the real one.
  @Suite struct Watching {
    @Test func rebuiltAppGoesOnInTheSameProcess() throws {
      let app = try WatchedFixture()
      let peer = try app.start()
      let first = try peer.ask(
        Request(1, "initialize", ["protocol": 1, "capabilities": ["pick"], "log": "info"]))
      let session = first.last?["result"]?["session"] ?? .null
      let keyed: JSON = ["screen": "1", "name": "text", "value": "Kim", "key": "k"]
      let answer = try #require(try peer.ask(Request(2, "input", keyed)).last?["result"])
      try app.rebuild()
      let frame = try #require(try peer.next("frame")["params"])
      #expect(answer["revision"] == 2)
      #expect(frame["revision"] == 3)
      #expect(frame["schema"]?.string != nil)
      let output = frame["patch"]?.array?.first?["value"]?["screens"]?["1"]?["output"]
      #expect(output == ["text": "Kim", "count": 1])
      let again = try peer.ask(Request(3, "input", keyed))
      #expect(again.map { $0["result"] } == [answer], "done once")
      let resumed = try peer.ask(
        Request(4, "initialize", ["protocol": 1, "resume": ["session": session, "revision": 2]]))
      #expect(resumed.last?["result"]?["session"] == session)
      #expect(resumed.first?["params"] == frame)
      let end = try peer.finish()
      #expect(end.status == .exited(0))
      #expect(end.errors.contains("rebuilt in "))
    }

    @Test func pendingRequestsFailAndLaterLinesGoToTheNewBuild() throws {
      let app = try WatchedFixture()
      let peer = try app.start(root: "busy")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      let gate = try NamedPipe()
      try peer.send(Request.input(2, "fetchTapped", .string(gate.path), settle: true).text)
      // A line without its end stays unhandled.
      try peer.send(Array(#"{"jsonrpc":"2.0","id":3,"met"#.utf8))
      try peer.waitUntilRead()
      try app.rebuild()
      let answer = try #require(try peer.lines(upTo: 2).last)
      #expect(answer["error"]?["code"] == -32800)
      _ = try peer.next("frame")
      try peer.send(Array("hod\":\"state/snapshot\"}\n".utf8))
      #expect(try peer.lines(upTo: 3).last?["result"]?["state"] != nil)
      #expect(try peer.finish().status == .exited(0))
      withExtendedLifetime(gate) {}
    }

    @Test func buildThatDoesNotStartLeavesTheOldOneRunning() throws {
      let app = try WatchedFixture()
      let peer = try app.start()
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1, "log": "error"]))
      try app.rebuild(program: "#!/bin/sh\nexit 3\n")
      let log = try peer.next("log")["params"]
      #expect(log?["message"]?.string?.hasSuffix("the old one keeps running") == true)
      #expect(try peer.ask(.input(2, "text", "Kim")).last?["result"] != nil)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func failedBuildIsReported() throws {
      let app = try WatchedFixture()
      let peer = try app.start()
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1, "log": "error"]))
      try app.rebuild(failing: "Home.swift:1: error: no")
      let log = try peer.next("log")["params"]
      #expect(log?["message"] == "the build failed: Home.swift:1: error: no")
      #expect(log?["data"]?["output"] == "Home.swift:1: error: no")
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func endOfTheInputCancelsABuildThatPrintsAtTheSameTime() throws {
      let scratch = try Scratch()
      let news = try NamedPipe()
      let gate = try NamedPipe()
      _ = try scratch.file("Package.swift", "")
      let swift = try scratch.file(
        "swift",
        """
        #!/bin/sh
        echo started > '\(news.path)'
        read line < '\(gate.path)'
        echo compiling
        echo printed > '\(news.path)'
        read line < '\(gate.path)'
        """)
      chmod(swift, 0o755)
      let peer = try Peer(
        ["--root", "typed", "--watch", "--package", scratch.file(".")],
        after: "export PATH='\(scratch.file("."))':$PATH")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      _ = try scratch.file("Package.swift", "// Changed.")
      #expect(try news.text() == "started\n")
      // Stopped, so that it finds both when it goes on.
      try peer.suspend()
      peer.closeInput()
      gate.write("print")
      #expect(try news.text() == "printed\n")
      peer.deliver(SIGCONT)
      let end = try peer.end()
      #expect(end.errors == "")
      #expect(end.status == .exited(0))
    }

    @Test(arguments: [
      (["--watch", "--record", "x"], "--record is not available with --watch"),
      (["--watch", "--package", "/nowhere"], "--package /nowhere: no Package.swift"),
    ])
    func impossibleOptionsAreRejected(_ arguments: [String], _ message: String) throws {
      let end = try Peer(arguments).end()
      #expect(end.status == .exited(2))
      #expect(end.errors.contains(message))
    }
  }
}

/// A copy of the fixture in the folder of a build, and a `swift` that rebuilds it.
private final class WatchedFixture {
  private let scratch: Scratch
  private var program: String { scratch.file("app/.build/debug/HostFixture") }

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("app/.build/debug"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Fixture.path, toPath: program)
    _ = try scratch.file("app/Package.swift", "")
    let swift = try scratch.file(
      "swift",
      """
      #!/bin/sh
      cat '\(scratch.file("errors"))' 2>/dev/null && exit 1
      mv '\(scratch.file("next"))' '\(program)'
      """)
    chmod(swift, 0o755)
  }

  func start(root: String = "typed") throws -> Peer {
    try Peer(
      ["--root", root, "--watch"], after: "export PATH='\(scratch.file("."))':$PATH",
      program: program)
  }

  /// Changes the sources.
  /// - Parameters:
  ///   - program: the script that the build makes of them; nil for the fixture.
  ///   - errors: the output of a build that fails; nil if it succeeds.
  func rebuild(program script: String? = nil, failing errors: String? = nil) throws {
    if let errors { _ = try scratch.file("errors", errors) }
    if let script {
      chmod(try scratch.file("next", script), 0o755)
    } else {
      try FileManager.default.copyItem(atPath: Fixture.path, toPath: scratch.file("next"))
    }
    _ = try scratch.file("app/Package.swift", "// Changed.")
  }
}
