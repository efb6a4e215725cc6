import OffstageJSON
import OffstageTesting
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

@Suite @CoreActor struct ChildrenTests {
  @Test func partsAreOnTheWire() async throws {
    let transcript = """
      # A part is an object in the output of the screen, and a list of parts is a list.
      $ cart --deterministic

      > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":1,"cause":1,"patch":[{"op":"replace",
        "path":"","value":{"navigation":"$_","screens":{"1":{"kind":"cart","output":{
        "header":null,"lines":[
        {"id":"milk","cost":4,"isSaving":false,"canAdd":true,"notes":[],
        "fields":{"countText":{"value":"1","error":null}}},
        {"id":"a/b","cost":3,"isSaving":false,"canAdd":true,"notes":[],
        "fields":{"countText":{"value":"1","error":null}}}],"total":7}}},"prompts":{}}}],
        "navigation":"$_"}}

      # Inputs are named by their path. An id is a token of a JSON Pointer.
      > {"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"lines/a~1b/add"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":2,"cause":2,"patch":[
        {"op":"replace","path":"/screens/1/output/lines/1/fields/countText/value","value":"2"},
        {"op":"replace","path":"/screens/1/output/lines/1/cost","value":6},
        {"op":"replace","path":"/screens/1/output/total","value":10}]}}
      < {"jsonrpc":"2.0","id":2,"result":{"revision":2}}

      # Parts that stay are moved, with what was entered in them.
      > {"jsonrpc":"2.0","id":3,"method":"input","params":{"screen":"1","name":"show","value":["a/b","milk","egg"]}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":3,"cause":3,"patch":[
        {"op":"move","from":"/screens/1/output/lines/0","path":"/screens/1/output/lines/1"},
        {"op":"add","path":"/screens/1/output/lines/2","value":{"id":"egg","cost":3,"isSaving":false,
        "canAdd":true,"notes":[],"fields":{"countText":{"value":"1","error":null}}}},
        {"op":"replace","path":"/screens/1/output/total","value":13}]}}
      < {"jsonrpc":"2.0","id":3,"result":{"revision":3}}

      > {"jsonrpc":"2.0","id":4,"method":"input","params":{"screen":"1","name":"lines/a~1b/countText","value":"x"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":4,"cause":4,"patch":[
        {"op":"replace","path":"/screens/1/output/lines/0/fields/countText/value","value":"x"},
        {"op":"replace","path":"/screens/1/output/lines/0/cost","value":0},
        {"op":"replace","path":"/screens/1/output/total","value":7}]}}
      < {"jsonrpc":"2.0","id":4,"result":{"revision":4}}

      # Parts within parts.
      > {"jsonrpc":"2.0","id":5,"method":"input","params":{"screen":"1","name":"lines/egg/note","value":7}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":5,"cause":5,"patch":[
        {"op":"add","path":"/screens/1/output/lines/2/notes/0","value":{"id":7,"text":""}}]}}
      < {"jsonrpc":"2.0","id":5,"result":{"revision":5}}

      > {"jsonrpc":"2.0","id":6,"method":"input","params":{"screen":"1","name":"lines/egg/notes/7/text","value":"fresh"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":6,"cause":6,"patch":[
        {"op":"replace","path":"/screens/1/output/lines/2/notes/0/text","value":"fresh"}]}}
      < {"jsonrpc":"2.0","id":6,"result":{"revision":6}}

      # The work of a part ends with it.
      > {"jsonrpc":"2.0","id":7,"method":"input","params":{"screen":"1","name":"lines/milk/save"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":7,"cause":7,"patch":[
        {"op":"replace","path":"/screens/1/output/lines/1/isSaving","value":true}]}}
      < {"jsonrpc":"2.0","id":7,"result":{"revision":7}}

      > {"jsonrpc":"2.0","id":8,"method":"input","params":{"screen":"1","name":"lines/milk/remove"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":8,"cause":8,"patch":[
        {"op":"remove","path":"/screens/1/output/lines/1"},
        {"op":"replace","path":"/screens/1/output/total","value":3}]}}
      < {"jsonrpc":"2.0","id":8,"result":{"revision":8}}

      > {"jsonrpc":"2.0","id":9,"method":"state/settle","params":{"pending":true}}
      < {"jsonrpc":"2.0","id":9,"result":{"revision":8,"pending":[]}}

      > {"jsonrpc":"2.0","id":10,"method":"input","params":{"screen":"1","name":"lines/milk/add"}}
      < {"jsonrpc":"2.0","id":10,"error":{"code":1002,"message":"$_","data":{"screen":"1","inputs":[
        "another","lineTapped","lines/*/add","lines/*/buy","lines/*/countText","lines/*/note","lines/*/remove","lines/*/save",
        "show","signIn"]}}}

      # A part that comes and goes, with an event and a ticker of its own.
      > {"jsonrpc":"2.0","id":11,"method":"input","params":{"screen":"1","name":"signIn","value":"Kim"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":9,"cause":11,"patch":[
        {"op":"replace","path":"/screens/1/output/header","value":{"name":"Kim","seconds":0}}]}}
      < {"jsonrpc":"2.0","id":11,"result":{"revision":9}}

      > {"jsonrpc":"2.0","id":12,"method":"input","params":{"screen":"1","name":"header/refresh"}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":10,"cause":12,
        "events":[{"screen":"1","name":"header/refreshed","value":"Kim"}]}}
      < {"jsonrpc":"2.0","id":12,"result":{"revision":10}}

      > {"jsonrpc":"2.0","id":13,"method":"clock/advance","params":{"milliseconds":1500}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":11,"patch":[
        {"op":"replace","path":"/screens/1/output/header/seconds","value":1}]}}
      < {"jsonrpc":"2.0","id":13,"result":{"revision":11}}

      > {"jsonrpc":"2.0","id":14,"method":"input","params":{"screen":"1","name":"signIn","value":null}}
      < {"jsonrpc":"2.0","method":"frame","params":{"revision":12,"cause":14,"patch":[
        {"op":"replace","path":"/screens/1/output/header","value":null}]}}
      < {"jsonrpc":"2.0","id":14,"result":{"revision":12}}

      > {"jsonrpc":"2.0","id":15,"method":"clock/advance","params":{"milliseconds":5000}}
      < {"jsonrpc":"2.0","id":15,"result":{"revision":12}}
      = exit 0
      """
    let differences = try await check(
      transcript: transcript, file: "cart.transcript", with: Cart.program)
    #expect(differences == [], "\(differences.joined(separator: "\n"))")
  }

  @Test func partsAreDescribedOnce() throws {
    let app = try Cart.program.makeSession(["--deterministic"]).core.app
    let document = try OpenRPC.document(of: app, AppInfo(name: "cart", version: "1.0"))
    let cart = document["x-screens"]?["cart"]
    #expect(cart?["children"] == ["header": "Header", "lines": "CartLine"])
    #expect(
      cart?["outputs"]?["lines"]
        == [
          "type": "array", "items": ["$ref": "#/components/schemas/CartLine"], "title": "Lines",
        ])
    #expect(
      cart?["inputs"]?["lineTapped"]?["x-rows"] == [["list": "lines", "member": "id"]])
    let parts = document["x-parts"]
    #expect(parts?.object?.members.map(\.key) == ["Header", "Note", "CartLine"])
    let line = parts?["CartLine"]
    #expect(line?["children"] == ["notes": "Note"])
    #expect(
      line?["inputs"]?["add"]
        == [
          "type": "null", "title": "One more", "x-role": "trigger", "x-enabledBy": "canAdd",
        ])
    #expect(line?["fields"]?["countText"]?["x-valid"] == ["pattern": "^[0-9]+$"])
    let schema = document["components"]?["schemas"]?["CartLine"]
    #expect(
      schema?["required"] == ["id", "cost", "isSaving", "canAdd", "notes", "fields"])
    #expect(
      document["components"]?["schemas"]?["CartOutput"]?["properties"]?["header"]
        == ["anyOf": [["$ref": "#/components/schemas/Header"], ["type": "null"]]])
  }

  @Test func aDocumentIsWhatItsFramesHaveMade() async throws {
    let talk = try await Conversation(in: Cart.program)
    var random = SplitMix64(seed: 7)
    let ids = ["milk", "a/b", "egg", "~", "é"]
    for step in 1...100 {
      let id = ids.randomElement(using: &random)!
      let path = id.replacing("~", with: "~0").replacing("/", with: "~1")
      let screens = talk.replica.document["screens"]?.object?.members.map(\.key) ?? []
      let screen = Int(screens.randomElement(using: &random)!)!
      let input = { (id: Int, name: String, value: String) in
        OffstageHostTests.input(id, name, value, on: screen)
      }
      let lines: [String] = (1...Int.random(in: 1...3, using: &random)).map { number in
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          let shown = ids.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
          return input(number, "show", "\(JSON.array(shown.map { .string($0) }))")
        case 1: return input(number, "signIn", Bool.random(using: &random) ? #""Kim""# : "null")
        case 2:
          return input(number, "lines/\(path)/note", "\(Int.random(in: 0...3, using: &random))")
        case 3:
          let note = Int.random(in: 0...3, using: &random)
          return input(number, "lines/\(path)/notes/\(note)/text", #""\#(step)""#)
        case 4: return input(number, "lines/\(path)/remove", "null")
        case 5: return input(number, "lines/\(path)/save", "null")
        case 6: return call(number, "clock/advance", #"{"milliseconds":300}"#)
        case 7: return input(number, "another", "null")
        case 8: return input(number, "lines/\(path)/buy", "null")
        default: return input(number, "lines/\(path)/add", "null")
        }
      }
      _ = await talk.send(["[\(lines.joined(separator: ","))]"])
      await talk.checkReplica()
    }
  }
}
