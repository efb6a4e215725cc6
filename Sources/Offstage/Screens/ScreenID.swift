/// The name of one screen in one run, counted up from 1 and never used again.
package struct ScreenID: Hashable, Sendable, CustomStringConvertible {
  package let number: Int

  package init(_ number: Int) { self.number = number }

  /// - Returns: nil for what is no id as the core writes them: `01` and `+1` name no screen.
  package init?(_ text: String) {
    guard let number = Int(text), String(number) == text else { return nil }
    self.number = number
  }

  package var description: String { String(number) }
}
