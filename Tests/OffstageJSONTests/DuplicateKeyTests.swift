import OffstageJSON
import Testing

@Suite struct DuplicateKeyTests {
  @Test(
    arguments: [
      (#"{"a":1,"b":2}"#, nil), (#"{}"#, nil), (#"[{"a":1},{"a":1}]"#, nil), (#""a""#, nil),
      (#"{"a":{"a":{"a":1}}}"#, nil), (#"{"a":"a","b":"a"}"#, nil),
      (#"{"abc":1,"axc":2}"#, nil), (#"{"abc":1,"axc":2,"abc":3}"#, "/abc"),
      (#"{"é":1,"e\u0301":2}"#, nil), (#"{"a":1,"A":2,"":3}"#, nil),
      (#"{"a":1,"a":2}"#, "/a"), (#"{"a":1,"b":[],"a":2}"#, "/a"), (#"{"":1,"":2}"#, "/"),
      (#"{"a":1,"\u0061":2}"#, "/a"), (#"{"\u0061":1,"a":2}"#, "/a"),
      (#"{"\u0061":1,"\u0061":2}"#, "/a"), (#"[0,{"x":{"k/~":1,"k/~":2}}]"#, "/1/x/k~1~0"),
      (#"{"p":[[],[{"d":1,"d":1}]]}"#, "/p/1/0/d"),
    ] as [(String, String?)])
  func finds(_ text: String, _ pointer: String?) throws {
    let text = try JSONText(text)
    #expect(text.root.duplicateKey == pointer)
  }

  @Test func namesThePathFromTheView() throws {
    let text = try JSONText(#"{"id":1,"id":2,"params":[{"v":{"a":1,"a":2}}],"more":{}}"#)
    #expect(text.root["params"]!.duplicateKey == "/0/v/a")
    #expect(text.root["more"]!.duplicateKey == nil)
  }

  /// Past a few members a set is used; it has to find the same.
  @Test(arguments: [15, 16, 17, 100, 100_000])
  func findsInLargeObjects(_ count: Int) throws {
    let members = (0..<count).map { "\"k\($0)\":0" }
    let distinct = try JSONText("{" + members.joined(separator: ",") + "}")
    #expect(distinct.root.duplicateKey == nil)
    let twice = try JSONText("{" + members.joined(separator: ",") + #","\u006b3":0,"z":1}"#)
    #expect(twice.root.duplicateKey == "/k3")
  }
}
