import Foundation
import OffstageJSON

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
