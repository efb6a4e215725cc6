/// Parses the data of a stream of server-sent events, cut anywhere. As in the HTML standard, LF, CR, or
/// both end a line, and an empty line ends an event.
struct ServerSentEvents {
  enum Failure: String, Error {
    case invalidUTF8 = "an event is not UTF-8"
    case tooLong = "an event exceeds 1 MiB"
  }

  /// The longest event, in bytes.
  static let limit = 1 << 20

  private var line: [UInt8] = []
  private var data: [UInt8]?
  /// True if the event only keeps the connection open, as some servers say by its name.
  private var isPing = false
  private var endedWithCR = false
  private var isFirstLine = true

  /// Parses the next bytes.
  /// - Returns: The data of the events that they complete.
  mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [String] {
    var events: [String] = []
    for byte in bytes {
      let followsCR = endedWithCR
      endedWithCR = byte == UInt8(ascii: "\r")
      switch byte {
      case UInt8(ascii: "\n") where followsCR: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = try endLine() { events.append(event) }
      default:
        line.append(byte)
        if line.count + (data?.count ?? 0) > Self.limit { throw .tooLong }
      }
    }
    return events
  }

  /// Ends the stream.
  /// - Returns: The last event if its empty line is missing. The standard drops it, but some
  ///   servers end with `data: [DONE]` and no empty line.
  mutating func finish() throws(Failure) -> String? {
    if !line.isEmpty { _ = try endLine() }
    return try endLine()
  }

  private mutating func endLine() throws(Failure) -> String? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirstLine = false
    guard !line.isEmpty else {
      defer { isPing = false }
      guard let data = data.take(), !isPing else { return nil }
      guard let text = String(validating: data, as: UTF8.self) else { throw .invalidUTF8 }
      return text
    }
    let field = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line.dropFirst(field.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // Ignore other fields, and comments, which are fields with an empty name.
    if field.elementsEqual("event".utf8) {
      isPing = value.elementsEqual("ping".utf8)
    } else if field.elementsEqual("data".utf8) {
      // Append in place: a copy for each line would make long events slow.
      if data == nil { data = [] } else { data?.append(UInt8(ascii: "\n")) }
      data? += value
    }
    return nil
  }
}
