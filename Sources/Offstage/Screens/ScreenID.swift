package import OffstageJSON

/// The name of one screen in one run, counted up from 1 and never used again.
package struct ScreenID: Hashable, Sendable, CustomStringConvertible {
  package let number: Int

  package init(_ number: Int) { self.number = number }

  /// - Returns: nil for what is no id as the core writes them: `01` and `+1` name no screen.
  package init?(_ text: String) {
    guard let number = Int(text), String(number) == text else { return nil }
    self.number = number
  }

  /// Reads an id from a request, as `init(_:)` does, without making a string of it.
  package init?(_ view: JSONView) {
    let number = view.withBytes { quoted -> Int? in
      // Of up to 17 digits none overflows, and no run gets further.
      guard (3...19).contains(quoted.count), quoted[0] == UInt8(ascii: "\""), quoted[1] != 0x30
      else { return nil }
      var number = 0
      for byte in quoted[1..<quoted.count - 1] {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      return number
    }
    // An id may also be spelled with escapes.
    guard let number = number ?? view.string.flatMap({ Self($0)?.number }) else { return nil }
    self.number = number
  }

  package var description: String { String(number) }
}
