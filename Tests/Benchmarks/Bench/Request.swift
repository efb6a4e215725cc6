/// The lines that the benchmark sends, made before the clock runs.
enum Request {
  enum Value {
    case string(String)
    case number(Int)
  }

  static let initialize = Array(
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}"#.utf8 + [newline])

  /// An input to screen 1, the only one that `bench-app` has.
  static func input(_ id: Int, _ name: String, _ value: Value?) -> [UInt8] {
    let member =
      switch value {
      case .string(let text): ",\"value\":\"\(text)\""
      case .number(let number): ",\"value\":\(number)"
      case nil: ""
      }
    let params = "{\"screen\":\"1\",\"name\":\"\(name)\"\(member)}"
    let line = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"input\",\"params\":\(params)}\n"
    return Array(line.utf8)
  }
}

let newline = UInt8(ascii: "\n")
