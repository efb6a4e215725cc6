internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The result of a method.
enum MethodResult {
  /// The document's revision, after every frame that the request caused at once.
  case revision
  /// A result of its own.
  case now((inout JSONWriter) -> Void)
  /// The revision, once a condition is met.
  case once(Condition)

  enum Condition {
    /// Nothing more will happen until a person, a device or the clock acts.
    case settled
    /// Everything that the request started has finished.
    case finished
    /// The clock has reached this time.
    case advanced(to: Duration)
  }
}

/// A request that waits for its response.
struct WaitingRequest {
  /// nil for a notification, which gets no response
  let slot: ResponseSlot?
  let condition: MethodResult.Condition
  let cause: Cause?
}

/// The place of a response.
enum ResponseSlot {
  case line(RPCID)
  case batch(RPCBatch, RPCID)

  /// The response to a line of its own; nil for a notification.
  init?(_ id: RPCID?) {
    guard let id else { return nil }
    self = .line(id)
  }

  var id: RPCID {
    switch self {
    case .line(let id), .batch(_, let id): id
    }
  }
}

extension Result<RPCCall, RPCInvalidRequest> {
  /// True for a request, which has an id and gets a response.
  var isAnswered: Bool {
    switch self {
    case .success(let call): call.id != nil
    case .failure(let invalid): invalid.id != nil
    }
  }
}

extension JSONWriter {
  /// Writes the response that most requests get.
  mutating func response(to id: RPCID, revision: Int) {
    raw("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    fragment(id.text)
    fragment(",\"result\":{\"revision\":")
    int(revision)
    fragment("}}")
  }
}

/// Whole lines that wait to be written, and how far behind the reader is.
struct OutputQueue: ~Copyable {
  /// Past this many unsent bytes no frames are made until the reader has caught up.
  static let highWater = 1 << 20
  /// Past this many unsent bytes the core stops reading.
  static let limit = 16 << 20

  /// Called with every line, for a recording.
  var onLine: ((String) -> Void)?

  /// The writer of the lines; each is ended by `endLine`.
  var writer = JSONWriter()
  /// The number of bytes sent so far.
  private var sent = 0

  var unsentCount: Int { writer.bytes.count - sent }
  var isEmpty: Bool { unsentCount == 0 }
  var isBehind: Bool { unsentCount > Self.highWater }
  var isOverfull: Bool { unsentCount > Self.limit }

  /// Appends one line.
  mutating func line(_ write: (inout JSONWriter) -> Void) {
    let start = writer.bytes.count
    write(&writer)
    endLine(from: start)
  }

  /// Appends one line.
  mutating func write(_ line: [UInt8]) { self.line { $0.raw(line) } }

  /// Ends the line that begins at an offset of the writer.
  mutating func endLine(from start: Int) {
    onLine?(String(writer.bytes, from: start))
    writer.bytes.append(0x0A)
  }

  /// Offers the unsent bytes, and removes as many as were taken.
  mutating func send(_ take: (UnsafeRawBufferPointer) -> Int) {
    sent += writer.bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
    if sent == writer.bytes.count {
      // Keeps the memory of everyday, but not of a burst.
      writer.bytes.removeAll(keeping: Self.highWater)
      sent = 0
    } else if sent > Self.highWater {
      writer.bytes.removeFirst(sent)
      sent = 0
    }
  }

  /// Removes all lines and returns them without their ends.
  mutating func takeLines() -> [String] {
    var lines: [String] = []
    send { bytes in
      lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      return bytes.count
    }
    return lines
  }
}
