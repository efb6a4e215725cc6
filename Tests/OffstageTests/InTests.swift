import Offstage
import OffstageJSON
import Testing

/// An input accepts values of its type, and is unchanged by any other.
@Suite @CoreActor struct InTests {
  struct Place: Codable, Equatable { var lat: Double, lon: Double? }

  struct Marker: Codable, Equatable {
    enum Color: String, Codable, CaseIterable { case red, green }
    var color: Color
  }

  @Test func valuesAreReceived() {
    check(In<Int>(), "7", receives: [7])
    check(In<String?>(), #""Kim""#, receives: ["Kim"])
    check(In<String?>(), "null", receives: [nil])
    check(In<[Int]>(), "[1,2]", receives: [[1, 2]])
    check(In<Place>(), #"{"lat":1.5,"else":0}"#, receives: [Place(lat: 1.5, lon: nil)])
  }

  @Test func missingValueIsNil() {
    check(In<Int?>(), nil, receives: [nil])
  }

  @Test(arguments: [nil, "null", "7", "{}", "[]"])
  func triggerAcceptsAnyValue(value: String?) {
    check(In<Trigger>(), value, receives: [Trigger()])
  }

  @Test func rejectsOtherShapes() {
    check(In<Int>(), #""7""#, rejects: "", "integer", "string")
    check(In<Int>(), "1.5", rejects: "", "integer", "1.5")
    check(In<Int>(), "null", rejects: "", "integer", "null")
    check(In<Int>(), nil, rejects: "", "integer", "nothing")
    check(In<String>(), nil, rejects: "", "string", "nothing")
    check(In<[Int]>(), nil, rejects: "", "array", "nothing")
    check(In<Place>(), nil, rejects: "", "object", "nothing")
    check(In<Marker>(), nil, rejects: "", "object", "nothing")
    check(In<Place>(), #"{"lat":"x"}"#, rejects: "/lat", "number", "string")
    check(In<Place>(), "{}", rejects: "/lat", "number", "nothing")
    check(In<[Place]>(), #"[{"lat":1},{"lat":true}]"#, rejects: "/1/lat", "number", "boolean")
    check(In<String?>(), "1", rejects: "", "string", "number")
  }

  @Test func rejectsValuesThatLeadNowhere() throws {
    let input = In<Int>()
    input.expect("an even number") { $0 % 2 == 0 }
    check(input, "2", receives: [2])
    check(input, "3", rejects: "", "an even number", "3")
    let received = Recorder<Int>()
    input.observe { received.append($0) }
    input.send(5)
    #expect(received.values == [5], "code in the core may send anything")
  }

  @Test func valueThatIsMissingIsCheckedToo() throws {
    let choice = In<Int?>()
    choice.expect("a choice") { $0 != nil }
    check(choice, "null", rejects: "", "a choice", "null")
    check(choice, nil, rejects: "", "a choice", "nothing")
    let tap = In<Trigger>()
    tap.expect("a device that is ready") { _ in false }
    check(tap, nil, rejects: "", "a device that is ready", "nothing")
  }

  private func check<Value: Codable & Sendable & Equatable>(
    _ input: In<Value>, _ json: String?, receives expected: [Value]
  ) {
    let received = Recorder<Value>()
    input.observe { received.append($0) }
    do { try receive(json, into: input) } catch { Issue.record("\(error)") }
    #expect(received.values == expected)
  }

  private func check<Value: Codable & Sendable & Equatable>(
    _ input: In<Value>, _ json: String?, rejects path: String, _ expected: String, _ found: String
  ) {
    let received = Recorder<Value>()
    let subscription = input.signal.filter { _ in true }.observe { received.append($0) }
    let count = received.values.count
    let error = #expect(throws: JSONMismatch.self) { try receive(json, into: input) }
    #expect(error?.path == path)
    #expect(error?.expected == expected)
    #expect(error?.value ?? error?.found == found)
    #expect(received.values.count == count)
    subscription.cancel()
  }

  private func receive<Value>(_ json: String?, into input: In<Value>) throws {
    guard let json else { return try input.receive(nil) }
    try JSONText(json).withRoot { try input.receive($0) }
  }
}
