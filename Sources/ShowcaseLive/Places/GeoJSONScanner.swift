/// Where something stands in a text.
struct GeoJSONPosition: Hashable, Sendable {
  /// Counted from 1.
  var line = 1
  /// Counted in bytes from 0.
  var offset = 0
}

/// Cuts the features out of a GeoJSON FeatureCollection that comes in pieces.
///
/// It holds one feature at a time, whatever the size of the whole, and does not look at what a
/// feature is made of. All that stands around the features is checked in the end.
struct GeoJSONScanner {
  /// A feature as it stands in the text; nil where it is longer than ``longest``.
  typealias Found = (_ feature: UnsafeRawBufferPointer?, _ position: GeoJSONPosition) throws -> Void

  /// The longest feature that is looked at, in bytes, and the most that may stand around them all.
  static let longest = 1 << 24

  private enum State {
    /// Outside of the list of features.
    case around
    /// In the list, where a feature may begin: behind its bracket, or behind a comma, which
    /// promises one.
    case beforeFeature(isPromised: Bool)
    case inFeature
    case afterFeature
  }

  private var state = State.around
  private var here = GeoJSONPosition()
  private var frame = GeoJSONFrame()
  private var extent = GeoJSONExtent()
  private var start = GeoJSONPosition()
  /// What came of the present feature in earlier pieces.
  private var feature: [UInt8] = []
  private var isTooLong = false

  /// Takes the next piece of the text.
  /// - Throws: `GeoJSONError`, or what `found` throws.
  mutating func scan(_ piece: UnsafeRawBufferPointer, _ found: Found) throws {
    var next = 0
    while next < piece.count {
      let byte = piece[next]
      switch state {
      case .inFeature: try scanFeature(piece, &next, found)
      case .around:
        if try frame.take(byte, at: here) { state = .beforeFeature(isPromised: false) }
        pass(byte, &next)
      case .beforeFeature, .afterFeature: try scanBetween(byte, &next)
      }
    }
  }

  /// Ends the text.
  /// - Throws: `GeoJSONError` for a text that breaks off, or that is no FeatureCollection.
  func finish() throws(GeoJSONError) {
    guard case .around = state, frame.isComplete else { throw .truncated(here) }
    try frame.check()
  }

  private mutating func pass(_ byte: UInt8, _ next: inout Int) {
    next += 1
    here.offset += 1
    if byte == UInt8(ascii: "\n") { here.line += 1 }
  }

  private mutating func scanBetween(_ byte: UInt8, _ next: inout Int) throws(GeoJSONError) {
    switch (state, byte) {
    case (_, UInt8(ascii: " ")), (_, UInt8(ascii: "\t")), (_, UInt8(ascii: "\n")),
      (_, UInt8(ascii: "\r")):
      pass(byte, &next)
    case (.afterFeature, UInt8(ascii: ",")):
      state = .beforeFeature(isPromised: true)
      pass(byte, &next)
    case (.afterFeature, UInt8(ascii: "]")),
      (.beforeFeature(isPromised: false), UInt8(ascii: "]")):
      frame.endFeatures()
      state = .around
      pass(byte, &next)
    case (.afterFeature, _), (_, UInt8(ascii: ",")), (_, UInt8(ascii: "]")),
      (_, UInt8(ascii: "}")):
      throw .unexpected(byte, here)
    default:
      state = .inFeature
      start = here
      extent = GeoJSONExtent()
      feature.removeAll(keepingCapacity: feature.count < 1 << 20)
      isTooLong = false
    }
  }

  /// Goes on to the end of the feature, or of the piece.
  private mutating func scanFeature(
    _ piece: UnsafeRawBufferPointer, _ next: inout Int, _ found: Found
  ) throws {
    let (end, lines, isOver) = extent.advance(in: piece, from: next)
    let part = UnsafeRawBufferPointer(rebasing: piece[next..<end])
    here.offset += part.count
    here.line += lines
    next = end
    if isOver {
      state = .afterFeature
      try finish(part, found)
    } else {
      keep(part)
    }
  }

  private mutating func keep(_ part: UnsafeRawBufferPointer) {
    if isTooLong || feature.count + part.count > Self.longest {
      isTooLong = true
      feature = []
    } else {
      feature += part
    }
  }

  private mutating func finish(_ part: UnsafeRawBufferPointer, _ found: Found) throws {
    // A feature that lies within one piece is not copied.
    if feature.isEmpty, !isTooLong, part.count <= Self.longest { return try found(part, start) }
    keep(part)
    if isTooLong { return try found(nil, start) }
    try feature.withUnsafeBytes { try found($0, start) }
  }
}
