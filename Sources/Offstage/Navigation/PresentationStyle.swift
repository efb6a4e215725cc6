/// How a presented stack covers what is below it.
public enum PresentationStyle: Hashable, Sendable {
  /// How high a sheet can stand.
  public enum Detent: String, Codable, CaseIterable, Sendable {
    case medium, large
  }

  /// A sheet that can be swiped away, resting at one of the detents.
  case sheet([Detent])
  case fullScreenCover

  /// A sheet of full height.
  public static var sheet: Self { .sheet([.large]) }
}

/// What a modal lays over the screens below it.
public struct ModalBackground: Codable, Hashable, Sendable {
  /// `#RRGGBB`.
  public let color: String
  /// From 0, clear, to 1.
  public let opacity: Double
  /// Whether a tap outside the box takes it away; without, only its own buttons do.
  public let dismissesOnTap: Bool

  /// By default a dim that a tap takes away.
  /// - Parameters:
  ///   - color: `#RRGGBB`.
  ///   - opacity: from 0, clear, to 1.
  public init(color: String = "#000000", opacity: Double = 0.6, dismissesOnTap: Bool = true) {
    self.color = color
    self.opacity = opacity
    self.dismissesOnTap = dismissesOnTap
  }
}
