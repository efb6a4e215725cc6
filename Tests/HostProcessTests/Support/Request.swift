import OffstageJSON

/// A request and its id.
struct Request {
  let id: JSON
  /// Without the end of its line.
  let text: String

  init(_ id: JSON, _ method: String, _ params: JSON = [:]) {
    self.id = id
    text = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
  }

  /// Something happens on the first screen.
  static func input(_ id: JSON, _ name: String, _ value: JSON? = nil, settle: Bool = false) -> Self
  {
    var params: JSONObject = ["screen": "1", "name": .string(name)]
    params["value"] = value
    if settle { params["settle"] = true }
    return Request(id, "input", .object(params))
  }
}
