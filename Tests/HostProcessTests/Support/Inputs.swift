import OffstageJSON

/// Very many inputs for the `typed` screen, each of the same length.
struct Inputs {
  private static let firstID = 1_000_000

  let count: Int
  /// Bytes of one line.
  let length: Int
  let bytes: [UInt8]

  init(count: Int) {
    func line(_ index: Int) -> [UInt8] {
      let request = Request.input(
        .number(.init(Self.firstID + index)), "text", .string(Self.text(index)))
      return Array((request.text + "\n").utf8)
    }
    // All but the digits stays the same, and printing JSON that often takes long in a debug build.
    let parts = String(decoding: line(0), as: UTF8.self).split(separator: "\(Self.firstID)")
      .map { Array($0.utf8) }
    var bytes: [UInt8] = []
    length = line(0).count
    bytes.reserveCapacity(count * length)
    for index in 0..<count {
      let digits = Array("\(Self.firstID + index)".utf8)
      bytes += parts[0]
      bytes += digits
      bytes += parts[1]
      bytes += digits
      bytes += parts[2]
    }
    self.count = count
    self.bytes = bytes
  }

  /// The value of an input.
  static func text(_ index: Int) -> String { "\(firstID + index)" }

  /// Which input has an id.
  static func index(ofID id: Int) -> Int { id - firstID }
}
