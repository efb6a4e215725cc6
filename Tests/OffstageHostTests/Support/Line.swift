import OffstageJSON

/// Lines in short, so that a table can hold many.
enum Line {
  /// - `frame 2 by 7 [{…patch…}] push 3 told 1`
  /// - `7: {"revision":2}`
  /// - `7: error 1001 {"screen":"9"}`, an error's message being left to its own tests
  /// - `error -32602`
  static func short(_ json: JSON) -> String {
    if let batch = json.array { return "[" + batch.map { short($0) }.joined(separator: ", ") + "]" }
    let params = json["params"] ?? .null
    if json["method"] == "frame" { return frame(params) }
    if json["method"] == "error" { return error(params) }
    let id = json["id"]?.description ?? "?"
    return "\(id): " + (json["error"].map { error($0) } ?? json["result"]?.description ?? "?")
  }

  private static func frame(_ params: JSON) -> String {
    var parts = ["frame", text(params["revision"])]
    if let cause = params["cause"] { parts.append("by \(text(cause))") }
    if let patch = params["patch"] { parts.append(isWhole(patch) ? "whole" : text(patch)) }
    for command in params["navigation"]?.array ?? [] {
      let screens = command["screens"]?.array?.compactMap(\.string) ?? []
      parts.append(([command["type"]?.string ?? "?"] + screens).joined(separator: " "))
    }
    for event in params["events"]?.array ?? [] {
      parts.append("\(event["screen"]?.string ?? "?").\(event["name"]?.string ?? "?")")
      parts.append(text(event["value"]))
    }
    return parts.joined(separator: " ")
  }

  private static func error(_ error: JSON) -> String {
    "error \(text(error["code"]))" + (error["data"].map { " \($0)" } ?? "")
  }

  private static func text(_ json: JSON?) -> String { json?.description ?? "?" }

  private static func isWhole(_ patch: JSON) -> Bool { patch[0]?["path"] == "" }
}

/// A request's line.
func call(_ id: Int, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}

func notification(_ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
}

/// An input's request.
func input(
  _ id: Int, _ name: String, _ value: String = "null", on screen: Int = 1, settle: Bool = false
) -> String {
  let last = settle ? #","settle":true"# : ""
  return call(
    id, "input", #"{"screen":"\#(screen)","name":"\#(name)","value":\#(value)\#(last)}"#)
}

/// The short form of a patch that replaces one value.
func replaced(_ path: String, _ value: String) -> String {
  #"[{"op":"replace","path":"\#(path)","value":\#(value)}]"#
}
