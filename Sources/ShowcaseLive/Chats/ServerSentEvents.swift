/// Reads the lines of a stream of server-sent events as the HTML standard writes them: cut anywhere,
/// ended by LF, CR or both, told apart by empty lines.
struct ServerSentEvents {
  /// How long one event may be, in bytes.
  static let limit = 1 << 20

  /// What makes no stream of events.
  enum Failure: Error, Hashable {
    case invalidUTF8
    case tooLong
  }

  private var line: [UInt8] = []
  private var data: [UInt8]?
  private var endedWithCR = false
  private var isFirstLine = true

  /// Takes what has come.
  /// - Returns: the data of the events that are complete by now.
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

  /// - Returns: the data of the event that an empty line ends.
  private mutating func endLine() throws(Failure) -> String? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirstLine = false
    guard !line.isEmpty else {
      guard let data = self.data.take() else { return nil }
      guard let text = String(validating: data, as: UTF8.self) else { throw .invalidUTF8 }
      return text
    }
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    // Other fields, and comments, which have no name, say nothing to us.
    guard name.elementsEqual("data".utf8) else { return nil }
    var value = line.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
    return nil
  }
}
