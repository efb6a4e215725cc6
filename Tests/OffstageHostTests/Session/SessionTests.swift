import Testing

@testable import Offstage
@testable import OffstageHost

/// Requests in order, answered once each, whatever they come with.
@Suite @CoreActor struct SessionTests {
  static let ok = #"{"revision":1}"#

  @Test(arguments: ["1", "1.0", #""1""#, #""\u0031""#, "null", "1e2", "123456789012345678901"])
  func idsAndCausesAreEchoedByteForByte(id: String) async throws {
    let talk = try await Conversation()
    talk.put(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"input","params":"#
        + #"{"screen":"1","name":"tell","value":1}}"#)
    let lines = talk.session.takeOutput()
    #expect(
      lines == [
        #"{"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":\#(id),"events":"#
          + #"[{"screen":"1","name":"told","value":1}]}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"result":{"revision":2}}"#,
      ])
  }

  @Test func batches() async throws {
    let talk = try await Conversation()
    await talk.check(["[]"], [#"null: error -32600 {"line":2}"#])
    await talk.check(
      ["[1,2]"], [#"[null: error -32600 {"line":3}, null: error -32600 {"line":3}]"#])
    await talk.check(["[\(notification("state/settle"))]"], [])
    await talk.check(
      ["[\(input(1, "tell", "1")),\(notification("no/such")),\(input(2, "tell", "2"))]"],
      [
        "frame 2 by 1 1.told 1", "error -32601", "frame 3 by 2 1.told 2",
        #"[1: {"revision":2}, 2: {"revision":3}]"#,
      ])
  }

  /// The array is sent once the last response is there, in the order of their coming.
  @Test func aBatchWaitsForItsDeferredResponses() async throws {
    let talk = try await Conversation()
    talk.put(
      "[\(input(1, "work", "3", settle: true)),\(call(2, "no/such")),\(call(3, "state/settle")),7]")
    talk.put(input(4, "text"))
    #expect(talk.pull() == [#"4: {"revision":1}"#])
    await talk.turn()
    #expect(
      talk.pull() == [
        "frame 2 by 1 " + replaced("/screens/1/output/count", "1"),
        #"[2: error -32601, null: error -32600 {"line":2}, 1: {"revision":2}, 3: {"revision":2}]"#,
      ])
  }

  @Test func anIDInFlightIsNotTakenAgain() async throws {
    let talk = try await Conversation()
    await talk.check([input(1, "wait", "100", settle: true)], [])
    await talk.check(
      [input(1, "text"), call(1, "state/settle")], ["1: error -32600", "1: error -32600"])
    let spelled = input(1, "text").replacing("\"id\":1", with: "\"id\":1.0")
    await talk.check([spelled], [#"1.0: {"revision":1}"#])
    await talk.check(
      [call(2, "clock/advance", #"{"milliseconds":100}"#), input(1, "text")],
      [
        "frame 2 by 1 " + replaced("/screens/1/output/count", "1"), #"1: {"revision":2}"#,
        #"2: {"revision":2}"#, #"1: {"revision":2}"#,
      ])
  }

  /// On the real clock, too, where nothing else may happen for long.
  @Test func aTimerThatChangesNothingLetsItsRequestBeAnswered() async throws {
    let talk = try await Conversation()
    await talk.check([input(1, "search", #""""#, settle: true)], [])
    #expect(talk.session.core.clock.fireNext(dueBy: .seconds(1 << 40)))
    CoreActor.executor.endTurn()
    #expect(talk.pull() == [#"1: {"revision":1}"#])
  }

  @Test func onlySoManyMayWait() async throws {
    let talk = try await Conversation()
    let limit = talk.session.limits.inFlight
    await talk.check((1...limit).map { input($0, "wait", "100", settle: true) }, [])
    await talk.check(
      [input(5_000, "wait", "100", settle: true), call(5_001, "state/settle")],
      ["5000: error 1005", "5001: error 1005"])
    await talk.check([input(5_002, "text")], [#"5002: {"revision":1}"#])
    await talk.check(
      [notification("$/cancelRequest", #"{"id":7}"#), call(5_003, "state/settle")],
      ["7: error -32800", #"5003: {"revision":1}"#])
    let lines = await talk.send(call(5_004, "clock/advance", #"{"milliseconds":100}"#))
    // The one that was refused has done nothing, and may be sent again.
    #expect(lines.count == 2 * (limit - 1) + 1)
    #expect(lines.last == #"5004: {"revision":\#(limit)}"#)
  }

  @Test func namesAreWanted() async throws {
    let talk = try await Conversation()
    for method in ["input", "state/settle", "navigation/back"] {
      await talk.check(
        [call(1, method, "[]")],
        [#"1: error -32602 {"path":"","expected":"object","found":"array"}"#])
    }
    await talk.check(
      [#"{"jsonrpc":"2.0","id":1,"method":"state/settle"}"#], [#"1: {"revision":1}"#])
  }
}
