import OffstageJSON
import Testing

@Suite struct JSONPatchTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let document: String
    let patch: String
    /// The document afterwards, or the reason why there is none.
    let outcome: String

    init(_ name: String, _ document: String, _ patch: String, _ outcome: String) {
      (testDescription, self.document, self.patch, self.outcome) = (name, document, patch, outcome)
    }
  }

  /// RFC 6902, appendix A, and the corners that its section 4 speaks of.
  static let succeeding: [Example] = [
    Example(
      "A.1 adding an object member", #"{"foo":"bar"}"#,
      #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
    Example(
      "A.2 adding an array element", #"{"foo":["bar","baz"]}"#,
      #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
    Example(
      "A.3 removing an object member", #"{"baz":"qux","foo":"bar"}"#,
      #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    Example(
      "A.4 removing an array element", #"{"foo":["bar","qux","baz"]}"#,
      #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
    Example(
      "A.5 replacing a value", #"{"baz":"qux","foo":"bar"}"#,
      #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
    Example(
      "A.6 moving a value", #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
    Example(
      "A.7 moving an array element", #"{"foo":["all","grass","cows","eat"]}"#,
      #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#, #"{"foo":["all","cows","eat","grass"]}"#),
    Example(
      "A.8 testing a value, success", #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#),
    Example(
      "A.10 adding a nested object", #"{"foo":"bar"}"#,
      #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#),
    Example(
      "A.11 ignoring unknown members", #"{"foo":"bar"}"#,
      #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
    Example(
      "A.14 escapes in paths", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#,
      #"{"/":9,"~1":10}"#),
    Example(
      "A.16 adding an array value", #"{"foo":["bar"]}"#,
      #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
    Example(
      "replacing the root", #"{"foo":"bar"}"#, #"[{"op":"replace","path":"","value":[1]}]"#, "[1]"),
    Example(
      "adding at the root", #"{"foo":"bar"}"#, #"[{"op":"add","path":"","value":null}]"#, "null"),
    Example(
      "adding a member that is there", #"{"foo":"bar"}"#,
      #"[{"op":"add","path":"/foo","value":1}]"#, #"{"foo":1}"#),
    Example(
      "adding at the end by number", "[1]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
    Example(
      "copying", #"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#,
      #"{"a":{"b":1,"c":{"b":1}}}"#),
    Example(
      "moving to the same place", "[1,2]", #"[{"op":"move","from":"/1","path":"/1"}]"#, "[1,2]"),
    Example(
      "moving out of itself", #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#,
      #"{"a":1}"#),
    Example(
      "moving to a path that begins alike", #"{"a":1}"#,
      #"[{"op":"move","from":"/a","path":"/ab"}]"#, #"{"ab":1}"#),
    Example("testing numbers by value", "[1]", #"[{"op":"test","path":"/0","value":1.0}]"#, "[1]"),
    Example(
      "testing objects without order", #"{"a":1,"b":2}"#,
      #"[{"op":"test","path":"","value":{"b":2,"a":1}}]"#, #"{"a":1,"b":2}"#),
    Example(
      "replacing null", #"{"a":null}"#, #"[{"op":"replace","path":"/a","value":1}]"#, #"{"a":1}"#),
    Example("adding null", "{}", #"[{"op":"add","path":"/a","value":null}]"#, #"{"a":null}"#),
    Example("nothing", "{}", "[]", "{}"),
  ]

  static let failing: [Example] = [
    Example(
      "A.9 testing a value, error", #"{"baz":"qux"}"#,
      #"[{"op":"test","path":"/baz","value":"bar"}]"#,
      #"operation 0 at /baz: the value there is another one: "qux""#),
    Example(
      "A.12 adding to a target that is not there", #"{"foo":"bar"}"#,
      #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
      "operation 0 at /baz/bat: there is nothing"),
    Example(
      "A.15 comparing strings and numbers", #"{"/":9,"~1":10}"#,
      #"[{"op":"test","path":"/~01","value":"10"}]"#,
      "operation 0 at /~01: the value there is another one: 10"),
    Example(
      "removing what is not there", "{}", #"[{"op":"remove","path":"/a"}]"#,
      "operation 0 at /a: there is nothing"),
    Example(
      "removing an element that is not there", "[1]", #"[{"op":"remove","path":"/1"}]"#,
      "operation 0 at /1: \"1\" is no position in 1 elements"),
    Example(
      "removing the root", "[1]", #"[{"op":"remove","path":""}]"#,
      "operation 0 at : the whole value cannot be removed"),
    Example(
      "replacing what is not there", "{}", #"[{"op":"replace","path":"/a","value":1}]"#,
      "operation 0 at /a: there is nothing"),
    Example(
      "adding past the end", "[1]", #"[{"op":"add","path":"/2","value":1}]"#,
      "operation 0 at /2: \"2\" is no position in 1 elements"),
    Example(
      "adding at a leading zero", "[1,2]", #"[{"op":"add","path":"/01","value":1}]"#,
      "operation 0 at /01: \"01\" is no position in 2 elements"),
    Example(
      "adding into a scalar", "[1]", #"[{"op":"add","path":"/0/a","value":1}]"#,
      "operation 0 at /0/a: its parent is of the kind number and has no members"),
    Example(
      "removing behind the end", "[1]", #"[{"op":"remove","path":"/-"}]"#,
      "operation 0 at /-: \"-\" is no position in 1 elements"),
    Example(
      "moving what is not there", "{}", #"[{"op":"move","from":"/a","path":"/b"}]"#,
      "operation 0 at /b: there is nothing at \"/a\", where it comes from"),
    Example(
      "moving into itself", #"{"a":{}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
      "operation 0 at /a/b: a value cannot be moved into itself"),
    Example(
      "copying what is not there", "{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#,
      "operation 0 at /b: there is nothing at \"/a\", where it comes from"),
    Example(
      "testing what is not there", "{}", #"[{"op":"test","path":"/a","value":null}]"#,
      "operation 0 at /a: there is nothing"),
    Example(
      "failing later", #"{"a":1}"#, #"[{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}]"#,
      "operation 1 at /a: there is nothing"),
    Example("no array", "{}", "{}", "operation 0 at : a patch is an array, not object"),
    Example("no operation", "{}", "[1]", "operation 0 at : an operation is an object, not number"),
    Example(
      "unknown operation", "{}", #"[{"op":"spam","path":"/a"}]"#,
      "operation 0 at /a: there is no operation \"spam\""),
    Example(
      "operation missing", "{}", #"[{"path":"/a"}]"#,
      "operation 0 at /a: \"op\" is missing or is no string"),
    Example(
      "path missing", "{}", #"[{"op":"remove"}]"#,
      "operation 0 at : \"path\" is missing or is no string"),
    Example(
      "value missing", "{}", #"[{"op":"add","path":"/a"}]"#,
      "operation 0 at /a: \"value\" is missing"),
    Example(
      "from missing", "{}", #"[{"op":"copy","path":"/a"}]"#,
      "operation 0 at /a: \"from\" is missing or is no string"),
    Example(
      "bad pointer", "{}", #"[{"op":"remove","path":"a"}]"#,
      "operation 0 at a: \"path\" is no JSON Pointer: expected '/' at byte 0, found 'a'"),
  ]

  @Test(arguments: succeeding)
  func succeeds(_ example: Example) throws {
    let patch = try JSONPatch(JSON(parsing: example.patch))
    let result = try patch.apply(to: JSON(parsing: example.document))
    #expect(result == (try JSON(parsing: example.outcome)))
    #expect(try JSONPatch(JSON(parsing: patch.description)) == patch)
  }

  @Test(arguments: failing)
  func fails(_ example: Example) throws {
    let (patch, document) = (try JSON(parsing: example.patch), try JSON(parsing: example.document))
    let error = #expect(throws: JSONPatchError.self) { try JSONPatch(patch).apply(to: document) }
    #expect(error?.description == example.outcome)
  }

  @Test func printsEveryOperation() throws {
    let text =
      #"[{"op":"add","path":"/a~1b","value":{}},{"op":"remove","path":"/c"},"#
      + #"{"op":"replace","path":"","value":null},{"op":"move","from":"/0","path":"/1"},"#
      + #"{"op":"copy","from":"","path":"/x"},{"op":"test","path":"/y","value":1.0}]"#
    #expect(try JSONPatch(JSON(parsing: text)).description == text)
  }
}
