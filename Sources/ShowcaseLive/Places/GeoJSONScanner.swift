import OffstageJSON

/// Splits GeoJSON text that arrives in pieces into features.
///
/// Accepts a FeatureCollection, a single Feature, and a sequence of either, separated by white
/// space (newline-delimited) or record separators (RFC 8142). Memory holds one feature at a time;
/// the content of a feature is not checked.
struct GeoJSONScanner {
  /// - Parameter feature: The feature's bytes, or nil if there are more than ``longest``.
  typealias Found = (_ feature: UnsafeRawBufferPointer?, _ position: GeoJSONPosition) throws -> Void

  /// The limit for one feature, and for everything around the features of a collection, in bytes.
  static let longest = 1 << 24

  private enum State {
    /// Between texts.
    case outside
    /// In a text, but not in its list of features.
    case inText
    /// A comma promises another feature.
    case beforeFeature(isPromised: Bool)
    case inFeature
    case afterFeature
  }

  private var state = State.outside
  private var hasText = false
  private var here = GeoJSONPosition()
  private var text = GeoJSONText()
  private var boundary = GeoJSONElementBoundary()
  /// The start of the current text or feature.
  private var start = GeoJSONPosition()
  /// The part of the current feature that arrived in earlier pieces.
  private var feature: [UInt8] = []
  private var isTooLong = false

  /// Reads the next piece and calls `found` for each feature that ends in it.
  /// - Throws: `GeoJSONError`, or any error that `found` throws.
  mutating func scan(_ piece: UnsafeRawBufferPointer, _ found: Found) throws {
    var next = 0
    while next < piece.count {
      switch state {
      case .outside: try scanOutside(piece[next], &next)
      case .inText: try scanText(piece[next], &next, found)
      case .beforeFeature, .afterFeature: try scanBetween(piece[next], &next)
      case .inFeature: try scanFeature(piece, &next, found)
      }
    }
  }

  /// Ends the text.
  /// - Throws: `GeoJSONError` if the text is missing or incomplete.
  func finish() throws(GeoJSONError) {
    guard case .outside = state else { throw .truncated(here) }
    guard hasText else { throw .empty }
  }

  private mutating func pass(_ byte: UInt8, _ next: inout Int) {
    next += 1
    here.offset += 1
    if byte == UInt8(ascii: "\n") { here.line += 1 }
  }

  private mutating func scanOutside(_ byte: UInt8, _ next: inout Int) throws(GeoJSONError) {
    switch byte {
    case UInt8(ascii: "{"):
      state = .inText
      hasText = true
      start = here
      text = GeoJSONText()
    case _ where GeoJSONText.isSpace(byte) || byte == GeoJSONText.recordSeparator:
      pass(byte, &next)
    case _ where here.offset < 3 && byte == GeoJSONText.byteOrderMark[here.offset]:
      pass(byte, &next)
    default: throw .unexpected(byte, here)
    }
  }

  private mutating func scanText(_ byte: UInt8, _ next: inout Int, _ found: Found) throws {
    switch try text.take(byte, at: here) {
    case .text: break
    case .featuresBegin: state = .beforeFeature(isPromised: false)
    case .end:
      state = .outside
      if text.hasFeatures {
        try text.check()
      } else if text.isTooLong {
        try found(nil, start)
      } else {
        try text.bytes.withUnsafeBytes { try found($0, start) }
      }
    }
    pass(byte, &next)
  }

  private mutating func scanBetween(_ byte: UInt8, _ next: inout Int) throws(GeoJSONError) {
    switch (state, byte) {
    case _ where GeoJSONText.isSpace(byte):
      pass(byte, &next)
    case (.afterFeature, UInt8(ascii: ",")):
      state = .beforeFeature(isPromised: true)
      pass(byte, &next)
    case (.afterFeature, UInt8(ascii: "]")),
      (.beforeFeature(isPromised: false), UInt8(ascii: "]")):
      text.endFeatures()
      state = .inText
      pass(byte, &next)
    case (.afterFeature, _), (_, UInt8(ascii: ",")), (_, UInt8(ascii: "]")),
      (_, UInt8(ascii: "}")):
      throw .unexpected(byte, here)
    default:
      state = .inFeature
      start = here
      boundary = GeoJSONElementBoundary()
      feature.removeAll(keepingCapacity: feature.count < 1 << 20)
      isTooLong = false
    }
  }

  /// Continues to the end of the feature or of the piece.
  private mutating func scanFeature(
    _ piece: UnsafeRawBufferPointer, _ next: inout Int, _ found: Found
  ) throws {
    let (end, lines, isOver) = boundary.advance(in: piece, from: next)
    let part = UnsafeRawBufferPointer(rebasing: piece[next..<end])
    here.offset += part.count
    here.line += lines
    next = end
    guard isOver else { return append(part) }
    state = .afterFeature
    // A feature within one piece is not copied.
    if feature.isEmpty, !isTooLong, part.count <= Self.longest { return try found(part, start) }
    append(part)
    if isTooLong { return try found(nil, start) }
    try feature.withUnsafeBytes { try found($0, start) }
  }

  private mutating func append(_ part: UnsafeRawBufferPointer) {
    if isTooLong || feature.count + part.count > Self.longest {
      isTooLong = true
      feature = []
    } else {
      feature += part
    }
  }
}

/// A position in the text.
struct GeoJSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  var line = 1
  /// The offset in bytes, counted from 0.
  var offset = 0

  var description: String { "line \(line), byte \(offset)" }
}

/// A syntax error outside the features. Nothing in the file is imported.
enum GeoJSONError: Error, Hashable, CustomStringConvertible {
  case empty
  case truncated(GeoJSONPosition)
  case unexpected(UInt8, GeoJSONPosition)
  case notJSON(String)
  case notFeatureCollection
  case secondFeatureList(GeoJSONPosition)
  case tooLong

  var description: String {
    switch self {
    case .empty: "no GeoJSON text"
    case .truncated(let position): "unexpected end at \(position)"
    case .unexpected(let byte, let position):
      (0x20..<0x7f).contains(byte)
        ? "unexpected '\(Character(Unicode.Scalar(byte)))' at \(position)"
        : "unexpected byte 0x\(String(byte, radix: 16)) at \(position)"
    case .notJSON(let detail): "invalid JSON around the features: \(detail)"
    case .notFeatureCollection: "\"features\" in an object that is not a FeatureCollection"
    case .secondFeatureList(let position): "second list of features at \(position)"
    case .tooLong: "more than \(GeoJSONScanner.longest >> 20) MiB outside the features"
    }
  }
}

/// One top-level object without the features in its `features` array.
private struct GeoJSONText {
  enum Step {
    case text, featuresBegin, end
  }

  static let recordSeparator: UInt8 = 0x1e
  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0a).contains(byte) || byte == UInt8(ascii: "\r")
  }

  private(set) var bytes: [UInt8] = []
  private(set) var hasFeatures = false
  /// True if the text reached the limit without a list of features, so that its bytes are dropped.
  private(set) var isTooLong = false
  private var depth = 0
  private var string = GeoJSONString()
  /// The last string before a colon, which is a member's name.
  private var name = 0..<0
  private var isAfterColon = false

  /// - Throws: `GeoJSONError` for a second list of features or too many bytes around it.
  mutating func take(_ byte: UInt8, at position: GeoJSONPosition) throws(GeoJSONError) -> Step {
    if bytes.count == GeoJSONScanner.longest {
      guard !hasFeatures else { throw .tooLong }
      (isTooLong, bytes, name) = (true, [], 0..<0)
    }
    if !isTooLong { bytes.append(byte) }
    let wasInString = string.isOpen
    if string.takes(byte) {
      if isTooLong || isAfterColon { return .text }
      if !wasInString { name = bytes.count..<bytes.count }
      if !string.isOpen { name = name.lowerBound..<bytes.count - 1 }
      return .text
    }
    switch byte {
    case UInt8(ascii: ":"): isAfterColon = true
    case UInt8(ascii: ","): isAfterColon = false
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= 1
      if depth == 0 { return .end }
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      let isValue = isAfterColon
      isAfterColon = false
      if byte == UInt8(ascii: "["), depth == 1, isValue,
        bytes[name].elementsEqual("features".utf8)
      {
        guard !hasFeatures else { throw .secondFeatureList(position) }
        hasFeatures = true
        return .featuresBegin
      }
      depth += 1
    default: break
    }
    return .text
  }

  mutating func endFeatures() { bytes.append(UInt8(ascii: "]")) }

  /// - Throws: `GeoJSONError` unless this is a FeatureCollection.
  func check() throws(GeoJSONError) {
    let text: JSONText
    do { text = try JSONText(bytes) } catch { throw .notJSON("\(error)") }
    guard text.withRoot({ $0["type"]?.equals("FeatureCollection") == true }) else {
      throw .notFeatureCollection
    }
  }
}

/// Finds the end of an array element across pieces by counting brackets outside strings.
private struct GeoJSONElementBoundary {
  private var depth = 0
  private var string = GeoJSONString()

  /// - Returns: The end of the element or of the piece, the line feeds before it, and true if the
  ///   element is complete.
  mutating func advance(
    in piece: UnsafeRawBufferPointer, from start: Int
  ) -> (end: Int, lines: Int, isOver: Bool) {
    var lines = 0
    for next in start..<piece.count {
      let byte = piece[next]
      if byte == UInt8(ascii: "\n") { lines += 1 }
      if string.takes(byte) { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The array's own bracket ends an element without brackets, such as `null`.
        if depth == 0 { return (next, lines, true) }
        depth -= 1
        if depth == 0 { return (next + 1, lines, true) }
      case UInt8(ascii: ",") where depth == 0: return (next, lines, true)
      default: break
      }
    }
    return (piece.count, lines, false)
  }
}

/// Tracks which bytes belong to a string.
private struct GeoJSONString {
  private(set) var isOpen = false
  private var isEscaped = false

  /// - Returns: True if the byte is part of a string, including its quotation marks.
  mutating func takes(_ byte: UInt8) -> Bool {
    guard isOpen else {
      isOpen = byte == UInt8(ascii: "\"")
      return isOpen
    }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isOpen = false
    }
    return true
  }
}
