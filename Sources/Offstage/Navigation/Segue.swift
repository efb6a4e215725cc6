/// How one screen leads to another.
public enum Segue: Hashable, Sendable {
  /// On top of the visible stack.
  case push
  /// With a stack of its own, over everything so far.
  case present(PresentationStyle)
  /// As a box over everything.
  case modal(ModalBackground)
}
