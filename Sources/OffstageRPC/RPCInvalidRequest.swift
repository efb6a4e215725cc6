internal import OffstageJSON

/// What is not a call, with whatever id it has.
package struct RPCInvalidRequest: Error {
  /// Nil for a notification whose params are at fault: it is not answered.
  package let id: RPCID?
  package let error: RPCError

  private init(_ id: RPCID?, _ error: RPCError) {
    self.id = id
    self.error = error
  }

  /// - Parameters:
  ///   - message: what a request is and this is not.
  ///   - line: the number of its line.
  init(_ id: RPCID, _ message: String, _ line: Int) {
    self.init(
      id,
      .invalidRequest(
        "Invalid request: \(message)", data: ["line": .number(JSONNumber(line))]))
  }

  /// A key twice in an object leaves open what is meant; nothing is guessed.
  init(duplicate path: String, _ id: RPCID?, _ line: Int) {
    let prefix = "/params"
    guard path.utf8.starts(with: (prefix + "/").utf8) else {
      self.init(id ?? .null, "the key at \(path) stands there twice", line)
      return
    }
    let inParams = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    self.init(
      id,
      .invalidParams(
        "Invalid params: the key at \(inParams) stands there twice",
        data: ["path": .string(inParams), "expected": "each key once", "found": "a duplicate"]))
  }
}
