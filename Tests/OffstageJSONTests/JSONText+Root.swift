import OffstageJSON

extension JSONText {
  /// The outermost value of a text that is kept for ever, so that a test may look as long as it likes.
  var root: JSONView {
    _ = Unmanaged.passRetained(self)
    return withRoot { $0 }
  }
}
