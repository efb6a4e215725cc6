import Foundation
import OffstageJSON

/// A request and its id.
struct Request {
  let id: JSON
  /// The line without its LF.
  let text: String

  init(_ id: JSON, _ method: String, _ params: JSON = [:]) {
    self.id = id
    text = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
  }

  /// Returns an input of the first screen.
  static func input(_ id: JSON, _ name: String, _ value: JSON? = nil, settle: Bool = false) -> Self
  {
    var params: JSONObject = ["screen": "1", "name": .string(name)]
    params["value"] = value
    if settle { params["settle"] = true }
    return Request(id, "input", .object(params))
  }
}

/// Many inputs of the `typed` screen. All have the same length, as have their responses.
struct Inputs {
  private static let first = 1_000_000
  /// Padding of the ids: long responses fill the core's memory sooner.
  static let padding = String(repeating: "-", count: 150)

  let count: Int
  /// The bytes of one line.
  let length: Int
  let bytes: [UInt8]

  init(count: Int) {
    let line = Request.input(.string(Self.text(0) + Self.padding), "text", .string(Self.text(0)))
    // Only the digits change. Printing JSON that often would be slow in a debug build.
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

  /// Returns the value of an input, which is also the start of its id.
  static func text(_ index: Int) -> String { "\(first + index)" }

  /// Returns the index of the input whose id starts with a number.
  static func index(ofID number: Int) -> Int { number - first }
}

/// The output for `Inputs`: responses in order, and the lines between them.
///
/// It compares bytes, because a debug build is too slow to parse half a million responses.
struct Answers {
  private static let response = Array("{\"jsonrpc\":\"2.0\",\"id\":\"".utf8)
  private static let result = Array(
    (Inputs.padding + "\",\"result\":{\"revision\":").utf8)

  /// The lines other than responses to inputs.
  private(set) var others: [String] = []
  /// The number of responses.
  private(set) var count = 0
  /// The revision of the newest response.
  private(set) var lastRevision = 0
  /// The bytes of the responses up to each thousandth one, including LFs.
  private var sizes: [Int] = [0]
  private var size = 0
  private var partial: [UInt8] = []

  /// Processes bytes as they arrive.
  /// - Throws: `PeerError` for a missing, repeated or wrong response.
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

  /// Returns the bytes of the first `count` responses, rounded to thousands of responses.
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
