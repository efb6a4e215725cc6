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

  private enum Part {
    /// Between texts.
    case outside
    /// In a text, but not in its list of features.
    case text
    /// In the list, between features.
    case list
    case feature
  }

  private var part = Part.outside
  private var here = GeoJSONPosition()
  /// The start of the current text or feature.
  private var start = GeoJSONPosition()
  private var string = GeoJSONString()
  /// The number of brackets around the next byte.
  private var depth = 0
  /// The current text so far, with one 0 for all features in a row.
  private var text: [UInt8] = []
  private var hasText = false
  private var hasFeatures = false
  /// The part of the current feature that arrived in earlier pieces.
  private var feature: [UInt8] = []
  /// True if the current feature, or a text without a list of features, has reached the limit, so that
  /// its bytes are dropped.
  private var isTooLong = false

  /// Reads the next piece and calls `found` for each feature that ends in it.
  /// - Throws: `GeoJSONError`, or any error that `found` throws.
  mutating func scan(_ piece: UnsafeRawBufferPointer, _ found: Found) throws {
    var first = 0
    for index in 0..<piece.count {
      let byte = piece[index]
      let isSyntax = part != .outside && !string.takes(byte)
      // A feature without brackets, such as `null`, ends before what follows it.
      if part == .feature, isSyntax, depth == 2, Self.isSeparator(byte) {
        try endFeature(piece[first..<index], found)
      }
      switch part {
      case .outside: try begin(byte)
      case .text: try take(byte, isSyntax: isSyntax, found)
      case .list where Self.isSpace(byte): break
      case .list where isSyntax && Self.isSeparator(byte):
        try append(byte)
        if byte != UInt8(ascii: ",") { (part, depth) = (.text, 1) }
      case .list:
        (part, start, first) = (.feature, here, index)
        fallthrough
      case .feature:
        guard isSyntax else { break }
        if Self.opens(byte) { depth += 1 }
        guard Self.closes(byte) else { break }
        depth -= 1
        if depth == 2 { try endFeature(piece[first...index], found) }
      }
      here.pass(byte)
    }
    if part == .feature { append(piece[first...]) }
  }

  /// Ends the text.
  /// - Throws: `GeoJSONError` if the text is missing or incomplete.
  func finish() throws(GeoJSONError) {
    guard part == .outside else { throw .truncated(here) }
    guard hasText else { throw .empty }
  }

  // MARK: Texts

  private mutating func begin(_ byte: UInt8) throws(GeoJSONError) {
    if byte == UInt8(ascii: "{") {
      (part, start, depth, text) = (.text, here, 1, [byte])
      (hasText, hasFeatures, isTooLong) = (true, false, false)
    } else if !Self.isSpace(byte), byte != Self.recordSeparator,
      here.offset >= 3 || byte != Self.byteOrderMark[here.offset]
    {
      throw .unexpected(byte, here)
    }
  }

  private mutating func take(_ byte: UInt8, isSyntax: Bool, _ found: Found) throws {
    if isSyntax, depth == 1, byte == UInt8(ascii: "["), text.count < Self.longest,
      isAfterNameOfFeatures
    {
      if hasFeatures { throw GeoJSONError.secondFeatureList(here) }
      (part, hasFeatures) = (.list, true)
    }
    try append(byte)
    guard isSyntax else { return }
    if Self.opens(byte) { depth += 1 }
    guard Self.closes(byte) else { return }
    depth -= 1
    if depth == 0 { try endText(found) }
  }

  private mutating func append(_ byte: UInt8) throws(GeoJSONError) {
    if text.count == Self.longest {
      if hasFeatures { throw .tooLong }
      (isTooLong, text) = (true, [])
    }
    if !isTooLong { text.append(byte) }
  }

  private var isAfterNameOfFeatures: Bool {
    var rest = text[...]
    func trim() { while let last = rest.last, Self.isSpace(last) { rest.removeLast() } }
    trim()
    guard rest.popLast() == UInt8(ascii: ":") else { return false }
    trim()
    // A name that only ends so has a backslash before the quotation mark.
    return rest.suffix(10).elementsEqual(#""features""#.utf8)
      && rest.dropLast(10).last != UInt8(ascii: "\\")
  }

  /// A text without a list of features is a feature.
  private mutating func endText(_ found: Found) throws {
    part = .outside
    if !hasFeatures, isTooLong { return try found(nil, start) }
    if !hasFeatures { return try text.withUnsafeBytes { try found($0, start) } }
    guard let object = try? JSONText(text) else { throw GeoJSONError.notJSON }
    guard object.withRoot({ $0["type"]?.equals("FeatureCollection") == true }) else {
      throw GeoJSONError.notFeatureCollection
    }
  }

  // MARK: Features

  private mutating func endFeature(
    _ end: Slice<UnsafeRawBufferPointer>, _ found: Found
  ) throws {
    part = .list
    // Without its comma, it leaves a second 0, which no JSON text has.
    if text.suffix(2).elementsEqual("0,".utf8) { text.removeLast(2) }
    try append(UInt8(ascii: "0"))
    defer {
      feature.removeAll(keepingCapacity: feature.count < 1 << 20)
      isTooLong = false
    }
    // A feature within one piece is not copied.
    if feature.isEmpty, !isTooLong, end.count <= Self.longest {
      return try found(UnsafeRawBufferPointer(rebasing: end), start)
    }
    append(end)
    if isTooLong { return try found(nil, start) }
    try feature.withUnsafeBytes { try found($0, start) }
  }

  private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) {
    if isTooLong || feature.count + part.count > Self.longest {
      (isTooLong, feature) = (true, [])
    } else {
      feature += part
    }
  }

  // MARK: Bytes

  private static let recordSeparator: UInt8 = 0x1e
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0a).contains(byte) || byte == UInt8(ascii: "\r")
  }

  private static func opens(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  private static func closes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || closes(byte)
  }
}

/// A position in the text.
struct GeoJSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  var line = 1
  /// The offset in bytes, counted from 0.
  var offset = 0

  var description: String { "line \(line), byte \(offset)" }

  mutating func pass(_ byte: UInt8) {
    offset += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
  }
}

/// A syntax error outside the features. Nothing in the file is imported.
enum GeoJSONError: Error, Hashable, CustomStringConvertible {
  case empty
  case truncated(GeoJSONPosition)
  case unexpected(UInt8, GeoJSONPosition)
  case notJSON
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
    case .notJSON: "invalid JSON around the features"
    case .notFeatureCollection: "\"features\" in an object that is not a FeatureCollection"
    case .secondFeatureList(let position): "second list of features at \(position)"
    case .tooLong: "more than \(GeoJSONScanner.longest >> 20) MiB outside the features"
    }
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
