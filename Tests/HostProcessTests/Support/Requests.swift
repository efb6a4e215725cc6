import Foundation
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

/// Very many inputs for the `typed` screen, each of the same length, and so are their responses.
struct Inputs {
  private static let first = 1_000_000
  /// What follows the number in an id: long responses fill the core's memory sooner.
  static let padding = String(repeating: "-", count: 150)

  let count: Int
  /// Bytes of one line.
  let length: Int
  let bytes: [UInt8]

  init(count: Int) {
    let line = Request.input(.string(Self.text(0) + Self.padding), "text", .string(Self.text(0)))
    // All but the digits stays the same, and printing JSON that often takes long in a debug build.
    let parts = (line.text + "\n").components(separatedBy: Self.text(0)).map { Array($0.utf8) }
    var bytes: [UInt8] = []
    length = line.text.utf8.count + 1
    bytes.reserveCapacity(count * length)
    for index in 0..<count {
      let digits = Array(Self.text(index).utf8)
      bytes += parts[0]
      bytes += digits
      bytes += parts[1]
      bytes += digits
      bytes += parts[2]
    }
    self.count = count
    self.bytes = bytes
  }

  /// The value of an input, with which its id begins.
  static func text(_ index: Int) -> String { "\(first + index)" }

  /// Which input the id is of that begins with this number.
  static func index(ofID number: Int) -> Int { number - first }
}

/// What came back for `Inputs`: responses in order, and what stands between them.
///
/// Half a million responses are looked at as bytes, since a debug build would take long to parse them.
struct Answers {
  private static let response = Array("{\"jsonrpc\":\"2.0\",\"id\":\"".utf8)
  private static let result = Array(
    (Inputs.padding + "\",\"result\":{\"revision\":").utf8)

  /// The lines that are no responses to inputs.
  private(set) var others: [String] = []
  /// How many responses came.
  private(set) var count = 0
  /// The revision that the newest response names.
  private(set) var lastRevision = 0
  /// How long the responses are up to each thousandth one, their line ends included.
  private var sizes: [Int] = [0]
  private var size = 0
  private var partial: [UInt8] = []

  /// Takes in bytes as they come.
  /// - Throws: `PeerError` for a response that is missing, comes twice, or is none.
  mutating func take(_ bytes: [UInt8]) throws {
    partial += bytes
    let taken = try partial.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var start = 0
      while let end = memchr(base + start, 0x0A, bytes.count - start) {
        let next = UnsafeRawPointer(end) - base + 1
        try take(line: base + start, length: next - start)
        start = next
      }
      return start
    }
    partial.removeSubrange(..<taken)
  }

  /// How many bytes the first responses have together, to within a thousand responses.
  func size(ofFirst count: Int) -> Int { sizes[min(count / 1000, sizes.count - 1)] }

  private mutating func take(line: UnsafeRawPointer, length: Int) throws {
    let bytes = UnsafeRawBufferPointer(start: line, count: length)
    guard length > Self.response.count, memcmp(line, Self.response, Self.response.count) == 0 else {
      others.append(String(decoding: bytes.dropLast(), as: UTF8.self))
      return
    }
    var end: UnsafeMutablePointer<CChar>?
    let text = line.assumingMemoryBound(to: CChar.self)
    let id = strtol(text + Self.response.count, &end, 10)
    guard let end, Inputs.index(ofID: id) == count, memcmp(end, Self.result, Self.result.count) == 0
    else {
      throw PeerError(
        "response \(count) is \(String(decoding: bytes.dropLast(), as: UTF8.self))")
    }
    lastRevision = strtol(end + Self.result.count, nil, 10)
    count += 1
    size += length
    if count.isMultiple(of: 1000) { sizes.append(size) }
  }
}
