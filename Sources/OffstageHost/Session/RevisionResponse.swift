internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension JSONWriter {
  /// The response that most requests get, with its few parts ready made.
  mutating func response(to id: RPCID, revision: Int) {
    raw("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    fragment(id.text)
    fragment(",\"result\":{\"revision\":")
    int(revision)
    fragment("}}")
  }
}
