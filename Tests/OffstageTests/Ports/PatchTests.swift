import Offstage
import OffstageJSON
import Testing

@Suite struct PatchTests {
  struct Pair: Codable, Equatable { var a = 0, b: [String: Int]? = nil }

  static let path = Array("/x".utf8)

  @Test func writesOperations() {
    check(#"{"op":"replace","path":"/x","value":1}"#) { $0.replace(at: Self.path) { $0.int(1) } }
    check(#"{"op":"add","path":"/x","value":[]}"#) { $0.add(at: Self.path) { $0.json([]) } }
    check(#"{"op":"remove","path":"/x"}"#) { $0.remove(at: Self.path) }
    check(#"{"op":"move","from":"/x","path":"/y"}"#) {
      $0.move(from: Self.path, to: Array("/y".utf8))
    }
    check(#"{"op":"remove","path":"/x"},{"op":"add","path":"/x","value":null}"#) {
      $0.remove(at: Self.path)
      $0.add(at: Self.path) { $0.null() }
    }
  }

  @Test func writesTheShortestWayBetweenValues() {
    check(#"{"op":"replace","path":"/x","value":"b"}"#) {
      $0.change(at: PatchPath(Self.path), from: "a", to: "b", of: "x")
    }
    check(#"{"op":"replace","path":"/x/a","value":1}"#) {
      $0.change(at: PatchPath(Self.path), from: Pair(), to: Pair(a: 1), of: "x")
    }
    check(#"{"op":"replace","path":"/x/b","value":{"/":1}}"#) {
      $0.change(at: PatchPath(Self.path), from: Pair(), to: Pair(b: ["/": 1]), of: "x")
    }
    check(#"{"op":"remove","path":"/x/b/~1"}"#) {
      $0.change(
        at: PatchPath(Self.path), from: Pair(b: ["/": 1, "k": 2, "l": 3]),
        to: Pair(b: ["k": 2, "l": 3]), of: "x")
    }
    check("") { $0.change(at: PatchPath(Self.path), from: Pair(), to: Pair(), of: "x") }
  }

  @Test func takesTheShorterOfTwo() {
    let long: (inout JSONWriter) -> Void = { $0.replace(at: Self.path) { $0.string("long") } }
    let short: (inout JSONWriter) -> Void = { $0.remove(at: Self.path) }
    for (one, other) in [(long, short), (short, long)] {
      check(#"{"op":"remove","path":"/a"},{"op":"remove","path":"/x"}"#) {
        $0.remove(at: Array("/a".utf8))
        $0.shorter(one, other)
      }
    }
  }

  private func check(_ expected: String, _ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginArray()
    write(&writer)
    writer.endArray()
    #expect(String(writer.bytes) == "[\(expected)]")
  }
}
