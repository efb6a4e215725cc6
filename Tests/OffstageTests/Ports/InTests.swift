import Offstage
import OffstageJSON
import Testing

/// What comes from the wire is taken in its shape or refused, and the port is then unchanged.
@Suite @CoreActor struct InTests {
  struct Place: Codable, Equatable { var lat: Double, lon: Double? }

  @Test func takesValues() {
    check(In<Int>(), "7", hears: [7])
    check(In(1), "7", hears: [1, 7])
    check(In(7), "7", hears: [7, 7])
    check(In<String?>(nil), #""Kim""#, hears: [nil, "Kim"])
    check(In<String?>("a"), "null", hears: ["a", nil])
    check(In<[Int]>(), "[1,2]", hears: [[1, 2]])
    check(In<Place>(), #"{"lat":1.5,"else":0}"#, hears: [Place(lat: 1.5, lon: nil)])
    check(In<Outcome<Int>>(), #"{"type":"finished","value":3}"#, hears: [.finished(3)])
  }

  @Test func aMissingValueIsNothing() {
    check(In<String?>("a"), nil, hears: ["a", nil])
    check(In<Int?>(), nil, hears: [nil])
  }

  @Test(arguments: [nil, "null", "7", "{}", "[]"])
  func aTriggerTakesAnything(value: String?) {
    check(In<Trigger>(), value, hears: [Trigger()])
  }

  @Test func refusesOtherShapes() {
    check(In<Int>(), #""7""#, refused: "", "integer", "string")
    check(In(1), "1.5", refused: "", "integer", "1.5")
    check(In<Int>(), "null", refused: "", "integer", "null")
    check(In<Int>(), nil, refused: "", "integer", "nothing")
    check(In(""), nil, refused: "", "string", "nothing")
    check(In<[Int]>(), nil, refused: "", "array", "nothing")
    check(In<Place>(), nil, refused: "", "object", "nothing")
    check(In<Place>(), #"{"lat":"x"}"#, refused: "/lat", "number", "string")
    check(In<Place>(), "{}", refused: "/lat", "number", "nothing")
    check(In<[Place]>(), #"[{"lat":1},{"lat":true}]"#, refused: "/1/lat", "number", "boolean")
    check(In<String?>(nil), "1", refused: "", "string", "number")
  }

  @Test func keepsItsNewestValueOnlyIfItHadOne() {
    let kept = In(1)
    kept.send(2)
    #expect(kept.value == 2)
    let passed = In<Int>()
    passed.send(2)
    #expect(passed.value == nil)
  }

  private func check<Value: Codable & Sendable & Equatable>(
    _ input: In<Value>, _ json: String?, hears expected: [Value]
  ) {
    let heard = Heard<Value>()
    input.observe { heard.append($0) }
    do { try receive(json, into: input) } catch { Issue.record("\(error)") }
    #expect(heard.values == expected)
  }

  private func check<Value: Codable & Sendable & Equatable>(
    _ input: In<Value>, _ json: String?, refused path: String, _ expected: String, _ found: String
  ) {
    let before = input.value
    let heard = Heard<Value>()
    let subscription = input.signal.filter { _ in true }.observe { heard.append($0) }
    let count = heard.values.count
    let error = #expect(throws: JSONMismatch.self) { try receive(json, into: input) }
    #expect(error == JSONMismatch(path: path, expected: expected, found: found))
    #expect(input.value == before)
    #expect(heard.values.count == count)
    subscription.cancel()
  }

  private func receive<Value>(_ json: String?, into input: In<Value>) throws {
    guard let json else { return try input.receive(nil) }
    try JSONText(json).withRoot { try input.receive($0) }
  }
}
