internal import OffstageJSON

/// A navigation step, for front ends that animate it. The document already contains the result.
package struct NavigationCommand: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case setRoot, selectTab
    case push, pop, popTo, moveToTop
    case present, dismiss
    case showModal, dismissModal

    /// True if the screens have just appeared for the first time.
    var opens: Bool { [.setRoot, .push, .present, .showModal].contains(self) }
  }

  package let kind: Kind
  /// The screens that appeared or disappeared, the topmost first; for `popTo`, the new topmost one.
  package let screens: [ScreenID]
  package var tab: String?
  package var presentation: String?
  package var modal: String?
  package var transition: Transition?
}

/// The animation of a change of screens, in the terms of Core Animation.
public struct Transition: Codable, Hashable, Sendable {
  /// The kind of movement.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case fade, moveIn, push, reveal
  }

  /// The edge that the new screen comes from.
  public enum Subtype: String, Codable, CaseIterable, Sendable {
    case fromRight, fromLeft, fromTop, fromBottom
  }

  /// The change of speed over time.
  public enum Curve: String, Codable, CaseIterable, Sendable {
    case linear, easeIn, easeOut, easeInEaseOut
  }

  package let type: Kind
  package let subtype: Subtype?
  /// The duration in seconds.
  package let duration: Double
  package let curve: Curve

  /// Creates an animation, by default a quarter of a second long.
  public init(
    _ type: Kind, _ subtype: Subtype? = nil, duration: Double = 0.25, curve: Curve = .easeInEaseOut
  ) {
    self.type = type
    self.subtype = subtype
    self.duration = duration
    self.curve = curve
  }
}

/// The way in which a presented screen covers those below it.
public enum PresentationStyle: Hashable, Codable, Sendable {
  /// A height at which a sheet rests.
  public enum Detent: String, Codable, CaseIterable, Sendable {
    case medium, large
  }

  /// A sheet that can be swiped away, and that rests at one of the detents. It has a stack of its own.
  case sheet([Detent])
  /// A cover of the whole screen, with a stack of its own.
  case fullScreenCover
  /// A single screen in a box over everything. Its backdrop has a color, such as `#000000`, and an
  /// opacity from 0 (clear) to 1 (opaque). A tap on it dismisses the modal, unless only the buttons in
  /// the box do.
  case modal(color: String = "#000000", opacity: Double = 0.6, dismissesOnTap: Bool = true)

  /// A sheet of full height.
  public static var sheet: Self { .sheet([.large]) }

  /// A modal on a dim backdrop that dismisses it when it is tapped.
  public static var modal: Self { .modal() }
}

/// The backdrop of a modal, between its box and the screens below.
package struct ModalBackground: Codable, Hashable, Sendable {
  let color: String
  let opacity: Double
  let dismissesOnTap: Bool
}
