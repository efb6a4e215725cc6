import OffstageJSON
import OffstageRPC
import TestSupport

/// The output of a session, checked against the lines that were sent.
struct SessionLog {
  private(set) var responses = 0
  var frames: Int { sent.count }
  private var document = JSON.null
  /// The frames, in the order of their revisions.
  private var sent: [JSON] = []
  /// The ids of the responses still to come.
  private var expected: [RPCID: Int] = [:]

  /// - Throws: `Failure` for the first wrong line.
  init(sent: [[UInt8]], output: [UInt8]) throws {
    for line in sent { expect(line) }
    guard output.isEmpty || output.last == 0x0A else { throw Failure("the last line is cut") }
    for line in output.split(separator: 0x0A) {
      let text: JSONText
      do { text = try JSONText(Array(line)) } catch {
        throw Failure("\(error) in the output \(String(decoding: line.prefix(500), as: UTF8.self))")
      }
      try text.withRoot { root in
        for message in root.kind == .array ? Array(root.elements) : [root] {
          try take(message, isAlone: root.kind == .object)
        }
      }
    }
    let missing = expected.filter { $0.value != 0 }
    guard missing.isEmpty else {
      throw Failure("not answered: \(missing.map { "\($0.key.text) x \($0.value)" }.sorted())")
    }
  }

  /// Notes the responses to expect for a line.
  private mutating func expect(_ line: [UInt8]) {
    let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    if isBlank { return }
    guard let text = try? JSONText(line) else {
      expected[.null, default: 0] += 1
      return
    }
    text.withRoot { root in
      guard root.isArray else { return expect(root) }
      guard let views = try? RPCCall.batch(root, line: 1, longest: 65_536) else {
        expected[.null, default: 0] += 1
        return
      }
      for view in views { expect(view) }
    }
  }

  private mutating func expect(_ view: JSONView) {
    let id: RPCID?
    do throws(RPCInvalidRequest) { id = try RPCCall(view, line: 1).id } catch { id = error.id }
    if let id { expected[id, default: 0] += 1 }
  }

  private mutating func take(_ message: JSONView, isAlone: Bool) throws {
    guard let method = message["method"]?.string else { return try takeResponse(message, isAlone) }
    guard method == "frame" else {
      if ["error", "log"].contains(method) { return }
      throw Failure("the core sent \"\(method)\"")
    }
    let params = message["params"]?.json ?? .null
    // A front end that resumes its session gets frames again.
    if let revision = params["revision"]?.int, sent.indices.contains(revision - 1) {
      guard params == sent[revision - 1] else { throw Failure("repeated otherwise: \(params)") }
      return
    }
    sent.append(params)
    guard params["revision"]?.int == frames else { throw Failure("frame \(frames) is \(params)") }
    guard let patch = params["patch"] else { return }
    do { try document.apply(patch) } catch {
      throw Failure("frame \(frames): \(error)")
    }
  }

  private mutating func takeResponse(_ message: JSONView, _ isAlone: Bool) throws {
    guard let id = message["id"].flatMap({ RPCID($0) }) else {
      throw Failure("neither a response nor a notification: \(message.json)")
    }
    responses += 1
    guard let count = expected[id], count > 0 else { throw Failure("answered twice: \(id.text)") }
    expected[id] = count - 1
    // In a batch, the snapshot may be older than the last response.
    if isAlone, let state = message["result"]?["state"]?.json {
      guard state == document else {
        throw Failure("the frames add up to \(document), and the snapshot is \(state)")
      }
    }
  }
}
