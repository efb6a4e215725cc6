import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct InitializeTests {
  @Test func initializeSendsTheAppAndItsLimits() async throws {
    let talk = try await Conversation(hello: nil)
    let schema = try Desk.description()["x-schema"]?.string ?? ""
    let lines = await talk.send(
      call(
        1, "initialize",
        """
        {"protocol":1,"client":{"name":"t","version":"0"},"capabilities":["location"],\
        "locale":"ko-KR","timeZone":"Asia/Seoul","else":1}
        """))
    #expect(
      lines == [
        "frame 1 by 1 whole setRoot 1 2",
        """
        1: {"protocol":1,"app":{"name":"desks","version":"1.2"},"revision":1,"session":"0",\
        "schema":"\(schema)","language":"ko-KR",\
        "capabilities":["fields","keys","log","resources","resume"],"clock":"virtual",\
        "links":[{"pattern":"app://b/desk","tab":"b","screen":"desk"},{"pattern":"app://broken"}],\
        "prompts":["alert","confirmationDialog","location"],\
        "limits":{"line":16777216,"depth":512,"inFlight":1024,"batch":65536,"out":16777216,\
        "queuedEffects":16384,"screens":8192,"timers":100000,"keys":1024,\
        "resource":4194304,"frames":262144}}
        """,
      ])
    #expect(schema.utf8.count == 16)
    #expect(talk.session.core.supportedPrompts == ["location"])
    #expect(talk.session.core.userLocale.language == "ko-KR")
    #expect(talk.session.core.userLocale.offset(at: 1_767_225_600) == 32400)
    #expect(
      try talk.replica.document
        == JSON(
          parsing: """
            {"navigation": {"root": {"type": "tabs", "selected": "a", "tabs": [
               {"id": "a", "title": "A", "icon": "a", "badge": null, "screens": ["1"]},
               {"id": "b", "title": "B", "icon": "b", "badge": null, "screens": ["2"]}]},
               "presented": [], "modals": []},
             "app": {"output": {"isOpen": true}},
             "screens": {
               "1": {"kind": "desk", "output": {
                 "text": "", "count": 0, "found": "", "place": null, "items": []}},
               "2": {"kind": "desk", "output": {
                 "text": "", "count": 0, "found": "", "place": null, "items": []}}},
             "prompts": {}}
            """))
  }

  @Test(arguments: [
    ("{}", #"{"path":"/protocol","expected":"integer or array","found":"nothing"}"#),
    (#"{"protocol":"1"}"#, #"{"path":"/protocol","expected":"integer or array","found":"string"}"#),
    (
      #"{"protocol":2}"#,
      #"{"path":"/protocol","expected":"one of 1","found":"number","value":2,"protocols":[1]}"#
    ),
    (
      #"{"protocol":[3,2]}"#,
      #"{"path":"/protocol","expected":"one of 1","found":"array","value":[3,2],"protocols":[1]}"#
    ),
    (
      #"{"protocol":[2,"1"]}"#, #"{"path":"/protocol/1","expected":"integer","found":"string"}"#
    ),
    (
      #"{"protocol":1,"capabilities":[1]}"#,
      #"{"path":"/capabilities/0","expected":"string","found":"number"}"#
    ),
    (
      #"{"protocol":1,"capabilities":"location"}"#,
      #"{"path":"/capabilities","expected":"array","found":"string"}"#
    ),
    (#"{"protocol":1,"locale":1}"#, #"{"path":"/locale","expected":"string","found":"number"}"#),
    (
      #"{"protocol":1,"locale":"ko_KR"}"#,
      #"{"path":"/locale","expected":"BCP 47 language tag","found":"string","value":"ko_KR"}"#
    ),
    (
      #"{"protocol":1,"timeZone":"Asia/Nowhere"}"#,
      #"{"path":"/timeZone","expected":"time zone, such as Asia/Seoul or +09:00","found":"string","value":"Asia/Nowhere"}"#
    ),
    (
      #"{"protocol":1,"timeZone":"../../etc/passwd"}"#,
      #"{"path":"/timeZone","expected":"time zone, such as Asia/Seoul or +09:00","found":"string","value":"../../etc/passwd"}"#
    ),
    (
      #"{"protocol":1,"client":{"name":1}}"#,
      #"{"path":"/client/name","expected":"string","found":"number"}"#
    ),
  ])
  func invalidParamsAreRejected(params: String, data: String) async throws {
    let talk = try await Conversation(hello: nil)
    await talk.check([call(1, "initialize", params)], ["1: error -32602 \(data)"])
    let lines = await talk.send(call(2, "initialize", #"{"protocol":1}"#))
    #expect(lines.count == 2, "the next one works")
    #expect(lines.first == "frame 1 by 2 whole setRoot 1 2", "the next one works")
  }

  @Test func firstProtocolInCommonIsChosen() async throws {
    let talk = try await Conversation(hello: nil)
    let lines = await talk.send(call(1, "initialize", #"{"protocol":[3,1,2]}"#))
    #expect(lines.last?.hasPrefix(#"1: {"protocol":1,"#) == true)
  }

  @Test func secondInitializeIsRejected() async throws {
    let talk = try await Conversation(hello: nil)
    _ = await talk.send(call(1, "initialize", #"{"protocol":1}"#))
    await talk.check([call(2, "initialize", #"{"protocol":1}"#)], ["2: error -32600"])
  }

  @Test func resumingRepeatsTheMissedFrames() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    let frames = await talk.send(
      input(1, "tell", "1"), input(2, "text", #""a""#), input(3, "ask")
    ).filter { $0.hasPrefix("frame") }
    #expect(frames.count == 3)
    talk.put(resume(4, "0", 1, capabilities: #"["location"]"#))
    let again = try talk.session.takeOutput().map { Line.short(try JSON(parsing: $0)) }
    #expect(again.dropLast() == frames[...])
    #expect(again.last?.hasPrefix(#"4: {"protocol":1,"#) == true)
    #expect(await talk.send(resume(5, "0", 4, capabilities: #"["location"]"#)).count == 1)
    // A prompt that the new front end cannot answer is rejected.
    let last = await talk.send(resume(6, "0", 4))
    #expect(last.count == 3)
    #expect(last.first == "frame 5 by 6 \(AnswerTests.gone)")
    await talk.checkReplica()
  }

  @Test(arguments: [("x", 2), ("0", 9), ("x", 0)])
  func resumingElsewhereSendsTheDocument(session: String, revision: Int) async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "tell", "1"))
    let lines = await talk.send(resume(2, session, revision))
    #expect(lines.count == 2)
    #expect(lines.first == "frame 3 by 2 whole")
    await talk.check([input(3, "tell", "2")], ["frame 4 by 3 1.told 2", #"3: {"revision":4}"#])
    await talk.checkReplica()
  }

  @Test func aFrontEndWithoutItsDocumentGetsAllOfIt() async throws {
    let talk = try await Conversation()
    let seen = #"{"session":"0","revision":1,"whole":true}"#
    let lines = await talk.send(
      call(1, "initialize", #"{"protocol":1,"resume":\#(seen)}"#))
    #expect(lines.count == 2 && lines.first == "frame 2 by 1 whole")
    await talk.checkReplica()
  }

  @Test func keptFramesAreBounded() async throws {
    let talk = try await Conversation()
    let long = String(repeating: "x", count: 10_000)
    for number in 1...200 {
      talk.put(input(number, "text", #""\#(long)\#(number)""#))
      _ = talk.session.takeOutput()
    }
    #expect(talk.session.publisher.output.writer.bytes.count < 3 * talk.session.limits.frames)
    talk.put(resume(201, "0", 195))
    #expect(talk.session.takeOutput().count == 7)
    talk.put(resume(202, "0", 1))
    let lines = talk.session.takeOutput()
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""revision":202"#) == true)
  }

  private func resume(
    _ id: Int, _ session: String, _ revision: Int, capabilities: String = "[]"
  ) -> String {
    call(
      id, "initialize",
      #"{"protocol":1,"capabilities":\#(capabilities),"#
        + #""resume":{"session":"\#(session)","revision":\#(revision)}}"#)
  }

  @Test func anyOtherFirstRequestInitializes() async throws {
    for (line, answer) in [
      (call(1, "state/settle"), ["1: {\"revision\":1}"]),
      (call(1, "navigation/back"), [#"1: error 1004 {"screen":"1"}"#]),
      (input(1, "nothing", on: 9), [#"1: error 1001 {"screen":"9"}"#]),
    ] {
      let talk = try await Conversation(hello: nil)
      await talk.check([line], ["frame 1 by 1 whole setRoot 1 2"] + answer)
      await talk.check([call(2, "initialize", #"{"protocol":1}"#)], ["2: error -32600"])
    }
    let talk = try await Conversation(hello: nil)
    await talk.check([notification("state/settle")], ["frame 1 whole setRoot 1 2"])
  }

  @Test func invalidRequestsDoNotInitialize() async throws {
    let talk = try await Conversation(hello: nil)
    await talk.check(
      [call(1, "no/such"), "{", "[]", notification("$/cancelRequest", #"{"id":1}"#)],
      [
        "1: error -32601", #"null: error -32700 {"line":2,"offset":1}"#,
        #"null: error -32600 {"line":3}"#,
      ])
  }

  @Test func failingStartIsReportedEachTime() async throws {
    let talk = try await Conversation(["--deterministic", "--root", "broken"], hello: nil)
    await talk.check(
      [call(1, "state/settle"), call(2, "initialize", #"{"protocol":1}"#)],
      ["1: error -32603", "2: error -32603"])
  }
}

@Suite @CoreActor struct DiscoverTests {
  @Test func documentDescribesAppAndProtocol() async throws {
    let document = try Desk.description()
    #expect(document["info"] == ["title": "desks", "version": "1.2"])
    let methods = document["methods"]?.array?.compactMap { $0["name"]?.string }
    #expect(
      methods == [
        "initialize", "input", "field/check", "list/window", "answer", "navigation/back",
        "navigation/dismiss", "navigation/popTo", "navigation/selectTab", "navigation/open",
        "state/snapshot", "state/settle", "clock/advance", "resource/read", "rpc.discover",
        "$/cancelRequest", "shutdown",
      ])
    let desk = document["x-screens"]?["desk"]
    #expect(desk?["inputs"]?["place"]?["$ref"] == "#/components/schemas/DeskPlace")
    let schemas = document["components"]?["schemas"]
    #expect(schemas?["DeskPlace"]?["properties"]?["lat"] == ["type": "number"])
    #expect(
      desk?["inputs"]?["queue"]
        == [
          "type": "array", "items": ["type": "integer"], "title": "Queue", "x-role": "value",
        ])
    #expect(desk?["outputs"]?["count"] == ["type": "integer", "title": "Count"])
    #expect(desk?["outputs"]?["items"]?["type"] == "array")
    #expect(desk?["events"]?["told"] == ["type": "integer", "title": "Told"])
    #expect(desk?["result"] == ["type": "integer"])
    #expect(schemas?["Document"]?["type"] == "object")
    #expect(
      schemas?["Screen"]?["discriminator"]?["mapping"]?["desk"] == "#/components/schemas/DeskScreen"
    )
    #expect(document["x-screens"]?["broken"]?["argument"]?["$ref"] != nil)
    #expect(
      document["x-prompts"]?.object?.members.map(\.key)
        == ["alert", "confirmationDialog", "location"])
  }

  @Test func everyErrorIsDescribed() throws {
    let document = try Desk.description()
    let errors = try #require(document["components"]?["errors"]?.object)
    let schemas = try #require(document["components"]?["schemas"]?.object)
    let described = Set(errors.members.map(\.key))
    for method in document["methods"]?.array ?? [] {
      for error in method["errors"]?.array ?? [] {
        #expect(described.contains(name(of: error)))
      }
    }
    let cases = schemas["Error"]?["oneOf"]?.array?.compactMap { name(of: $0) } ?? []
    #expect(cases.count == 12)
    #expect(errors.members.count == 12)
    for (error, schema) in zip(errors.members.map(\.value), cases) {
      let properties = schemas[schema]?["properties"]
      #expect(properties?["code"]?["const"] == error["code"])
      #expect(properties?["data"] == error["data"])
      if let data = error["data"] { #expect(schemas[name(of: data)] != nil) }
    }
  }

  private func name(of reference: JSON) -> String {
    reference["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? "?"
  }

  @Test func typeNamedAsAPromptKeepsAnotherName() throws {
    let app = App(
      root: .stack(Route(Desk.self)),
      prompts: [PromptDescription("photo", params: PhotoPrompt.self, answer: Bool.self)],
      screens: [ScreenFactory(Desk.self) { _ in Desk() }])
    let document = try OpenRPC.document(of: app, AppInfo(name: "photos", version: "1.0"))
    let schemas = document["components"]?["schemas"]
    let prompt = schemas?["PhotoPrompt"]?["properties"]
    #expect(prompt?["kind"]?["const"] == "photo")
    #expect(prompt?["params"] != nil)
    #expect(prompt?["params"]?["$ref"] != "#/components/schemas/PhotoPrompt")
  }

  @Test func discoverEqualsDescribe() async throws {
    let talk = try await Conversation()
    let described = try Desk.description()
    await talk.check([call(1, "rpc.discover")], ["1: \(described)"])
  }
}

@Suite @CoreActor struct CancelRequestTests {
  @Test func cancelingEndsWorkAndFreesTheID() async throws {
    let talk = try await Conversation()
    await talk.check(
      [input(1, "hold", settle: true), input(2, "wait", "100")],
      [
        #"2: {"revision":1}"#
      ])
    await talk.check([cancel("1")], ["1: error -32800"])
    #expect(talk.session.core.liveEffectCount == 1)
    await talk.check([input(1, "text")], [#"1: {"revision":1}"#])
  }

  @Test func cancelingReachesWhatAnAnsweredRequestStarted() async throws {
    let talk = try await Conversation()
    _ = await talk.send(
      input(1, "wait", "100"), input(2, "wait", "100"), input(3, "search", #""x""#))
    await talk.check([cancel("1"), cancel("3")], [])
    #expect(talk.session.core.liveEffectCount == 1)
    await talk.check(
      [call(4, "clock/advance", #"{"milliseconds":300}"#)],
      ["frame 2 by 2 " + replaced("/screens/1/output/count", "1"), #"4: {"revision":2}"#])
  }

  @Test func cancelingRemovesQueuedWork() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "queue", "[100,100,100]"))
    await talk.check([cancel("1")], [])
    #expect(talk.session.core.liveEffectCount == 0)
    #expect(talk.session.core.isSettled)
  }

  @Test func cancelingRemovesQueuedWorkOfOthers() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "queue", "[100]"), input(2, "queue", "[100,100]"))
    await talk.check([cancel("2")], [])
    await talk.check(
      [call(3, "clock/advance", #"{"milliseconds":1000}"#)], [#"3: {"revision":2}"#])
  }

  @Test func cancelingEndsTimers() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "search", #""old""#))
    await talk.check([cancel("1")], [])
    await talk.check(
      [call(2, "clock/advance", #"{"milliseconds":1000}"#)], [#"2: {"revision":1}"#])
    _ = await talk.send(input(3, "search", #""new""#))
    await talk.check(
      [call(4, "clock/advance", #"{"milliseconds":300}"#)],
      [
        "frame 2 by 3 " + replaced("/screens/1/output/found", #""new""#), #"4: {"revision":2}"#,
      ])
  }

  @Test func cancelingWithdrawsPrompts() async throws {
    let talk = try await Conversation(
      hello: call(0, "initialize", #"{"protocol":1,"capabilities":["location"]}"#))
    _ = await talk.send(input(1, "ask"))
    await talk.check([cancel("1")], ["frame 3 \(AnswerTests.gone)"])
  }

  @Test func cancelingLeavesOtherRequests() async throws {
    let talk = try await Conversation()
    talk.put(input(1, "work", "9"), call(2, "state/settle"), call(3, "state/settle"), cancel("2"))
    #expect(talk.pull() == [#"1: {"revision":1}"#, "2: error -32800"])
    await talk.turn()
    #expect(talk.pull().last == #"3: {"revision":2}"#)
  }

  @Test func cancelingAnUnknownRequestIsSilent() async throws {
    let talk = try await Conversation()
    _ = await talk.send(input(1, "hold", settle: true))
    await talk.check([cancel("9"), cancel(#""1""#), cancel("1.0"), cancel("null")], [])
    await talk.check([cancel("1")], ["1: error -32800"])
  }

  @Test func cancelingNeedsAnID() async throws {
    let talk = try await Conversation()
    await talk.check(
      [notification("$/cancelRequest"), cancel("[]"), call(1, "$/cancelRequest", #"{"id":true}"#)],
      [
        #"error -32602 {"path":"/id","expected":"string or number or null","found":"nothing"}"#,
        #"error -32602 {"path":"/id","expected":"string or number or null","found":"array"}"#,
        #"1: error -32602 {"path":"/id","expected":"string or number or null","found":"boolean"}"#,
      ])
  }

  private func cancel(_ id: String) -> String { notification("$/cancelRequest", #"{"id":\#(id)}"#) }
}

@Suite @CoreActor struct ShutdownTests {
  @Test func shutdownAnswersNullAndStopsReading() async throws {
    let talk = try await Conversation()
    await talk.check([call(1, "shutdown")], ["1: null"])
    #expect(talk.session.isShuttingDown)
    #expect(!talk.session.isReady)
  }

  @Test func closingAnswersPendingRequests() async throws {
    let talk = try await Conversation()
    _ = await talk.send(
      input(1, "hold", settle: true),
      "[\(input(2, "hold", settle: true)),\(input(3, "text"))]")
    talk.session.close()
    #expect(talk.pull() == ["1: error -32800", #"[3: {"revision":1}, 2: error -32800]"#])
    talk.session.close()
    #expect(talk.pull() == [])
    #expect(talk.session.isReady)
  }
}

/// A type with the name of the schema of a prompt.
struct PhotoPrompt: Codable, Sendable { var isSquare = false }
