import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// A request with a key is performed once.
@Suite @CoreActor struct KeyTests {
  @Test func secondRequestGetsTheFirstOnesResponse() async throws {
    let talk = try await Conversation()
    let push = { call($0, "input", #"{"screen":"1","name":"push","key":"a"}"#) }
    let first = await talk.send(push(1))
    #expect(first.last == #"1: {"revision":2}"#)
    await talk.check([input(2, "tell", "1")], ["frame 3 by 2 1.told 1", #"2: {"revision":3}"#])
    await talk.check([push(3), push(1)], [#"3: {"revision":2}"#, #"1: {"revision":2}"#])
    #expect(talk.shape == "a* 1 3|b 2")
    let back = { call($0, "navigation/back", #"{"key":"b"}"#) }
    #expect(await talk.send(back(4)).last == #"4: {"revision":4,"outcome":"done"}"#)
    await talk.check([back(5)], [#"5: {"revision":4,"outcome":"done"}"#])
    #expect(talk.shape == "a* 1|b 2")
  }

  @Test func errorsAreRepeated() async throws {
    let talk = try await Conversation()
    let wrong = { (id: Int, value: String) in
      call(id, "input", #"{"screen":"1","name":"place","value":\#(value),"key":"a"}"#)
    }
    let error = #"error -32602 {"path":"/value","expected":"object","found":"number"}"#
    await talk.check([wrong(1, "1"), wrong(2, #"{"lat":1}"#)], ["1: \(error)", "2: \(error)"])
    await talk.check(
      [call(3, "input", #"{"screen":"1","name":"push","key":1}"#)],
      [#"3: error -32602 {"path":"/key","expected":"string","found":"number"}"#])
  }

  @Test func keyOfAnotherMethodIsRejected() async throws {
    let talk = try await Conversation()
    _ = await talk.send(call(1, "input", #"{"screen":"1","name":"push","key":"a"}"#))
    await talk.check(
      [call(2, "navigation/back", #"{"key":"a"}"#)],
      [
        #"2: error -32602 {"path":"/key","expected":"key of no other method","found":"key of input"}"#
      ])
    #expect(talk.shape == "a* 1 3|b 2")
  }

  @Test func secondRequestWaitsForTheFirst() async throws {
    let talk = try await Conversation()
    let wait = {
      call($0, "input", #"{"screen":"1","name":"hold","settle":true,"key":"a"}"#)
    }
    await talk.check([wait(1), wait(2), "[\(wait(3)),\(input(4, "text"))]"], [])
    // Sent again with its id, as after a reconnect: one response.
    await talk.check([wait(1)], [])
    await talk.check(
      [input(5, "release")],
      [
        #"5: {"revision":1}"#, "frame 2 by 1 " + replaced("/screens/1/output/count", "1"),
        #"1: {"revision":2}"#, #"2: {"revision":2}"#, #"[4: {"revision":1}, 3: {"revision":2}]"#,
      ])
  }

  @Test func everyBatchWithARepeatedRequestIsAnswered() async throws {
    let wait = #"{"screen":"1","name":"hold","settle":true,"key":"a"}"#
    let first = call(1, "input", wait)
    let release = input(9, "release")
    let released = #"9: {"revision":1}"#
    let frame = "frame 2 by 1 " + replaced("/screens/1/output/count", "1")
    let twice = try await Conversation()
    await twice.check(
      ["[\(first),\(first)]", release],
      [released, frame, #"[1: {"revision":2}, 1: {"revision":2}]"#])
    // Sent again in another batch, as after a reconnect.
    let again = try await Conversation()
    await again.check(
      ["[\(first)]", "[\(first),\(input(2, "text"))]", release],
      [
        released, frame, #"[1: {"revision":2}]"#, #"[2: {"revision":1}, 1: {"revision":2}]"#,
      ])
  }

  @Test func repeatedRequestNeedsAnIdThatNoOtherRequestHas() async throws {
    let talk = try await Conversation()
    let tell = { call($0, "input", #"{"screen":"1","name":"tell","value":1,"key":"a"}"#) }
    await talk.check([tell(1)], ["frame 2 by 1 1.told 1", #"1: {"revision":2}"#])
    await talk.check([input(5, "hold", settle: true)], [])
    await talk.check([tell(5), tell(6)], ["5: error -32600", #"6: {"revision":2}"#])
  }

  @Test func cancelingAnswersAllWithTheKey() async throws {
    let talk = try await Conversation()
    let wait = {
      call($0, "input", #"{"screen":"1","name":"hold","settle":true,"key":"a"}"#)
    }
    await talk.check([wait(1), wait(2)], [])
    await talk.check(
      [notification("$/cancelRequest", #"{"id":2}"#)], ["1: error -32800", "2: error -32800"])
    #expect(talk.session.core.liveEffectCount == 0)
  }

  @Test func waitingRepetitionsCountAsPending() async throws {
    let talk = try await Conversation()
    let wait = {
      call($0, "input", #"{"screen":"1","name":"hold","settle":true,"key":"a"}"#)
    }
    let limit = talk.session.limits.inFlight
    await talk.check((1...limit).map { wait($0) }, [])
    await talk.check([wait(limit + 1)], ["\(limit + 1): error 1005"])
    await talk.check([wait(1)], [])
  }

  @Test func longKeysAreRejected() async throws {
    let talk = try await Conversation()
    let tell = { (id: Int, key: String) in
      call(id, "input", #"{"screen":"1","name":"tell","value":1,"key":"\#(key)"}"#)
    }
    let longest = String(repeating: "x", count: 256)
    await talk.check([tell(1, longest)], ["frame 2 by 1 1.told 1", #"1: {"revision":2}"#])
    let error =
      #"error -32602 {"path":"/key","expected":"string of at most 256 bytes","found":"string"}"#
    await talk.check(
      [tell(2, longest + "x"), tell(3, String(repeating: "é", count: 129))],
      ["2: \(error)", "3: \(error)"])
    await talk.check(
      [tell(4, String(repeating: #"\u00e9"#, count: 128))],
      ["frame 3 by 4 1.told 1", #"4: {"revision":3}"#])
    await talk.check([tell(5, String(repeating: "é", count: 128))], [#"5: {"revision":3}"#])
  }

  @Test func oldKeysAreDropped() async throws {
    let talk = try await Conversation()
    let tell = { (id: Int, key: Int) in
      call(id, "input", #"{"screen":"1","name":"tell","value":1,"key":"\#(key)"}"#)
    }
    let limit = KeyedRequest.limit
    _ = await talk.send((0...limit).map { tell($0, $0) })
    #expect(await talk.send(tell(-1, 1)).count == 1)
    #expect(await talk.send(tell(-2, 0)).count == 2)
  }
}
