internal import OffstageJSON

enum Message {
  case notification(String, Value)
  case response(id: Int, Result<Value, Refusal>)
  /// The error of a line that the core could not read.
  case fault(Refusal)

  /// - Throws: `CoreEnded` for an invalid line.
  init(_ line: String) throws(CoreEnded) {
    guard let json = try? JSON(parsing: line, depth: 4096) else { throw Self.invalid(line) }
    let message = Value(json)
    if let method = message["method"].string {
      self = .notification(method, message["params"])
    } else if let id = message["id"].int {
      let error = message["error"]
      self = .response(
        id: id, error.isNull ? .success(message["result"]) : .failure(Refusal(error)))
    } else if !message["error"].isNull {
      self = .fault(Refusal(message["error"]))
    } else {
      throw Self.invalid(line)
    }
  }

  private static func invalid(_ line: String) -> CoreEnded {
    CoreEnded(.invalidLine(String(line.prefix(200))))
  }

  /// Returns the line of a request or, if the id is nil, of a notification.
  static func request(_ id: Int?, _ method: String, _ params: Value) -> String {
    var message: JSONObject = ["jsonrpc": "2.0"]
    message["id"] = id.map { .int($0) }
    message["method"] = .string(method)
    message["params"] = params.json
    return JSON.object(message).description
  }
}
