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

/// The style in which a presented stack covers the screens below it.
public enum PresentationStyle: Hashable, Codable, Sendable {
  /// A height at which a sheet rests.
  public enum Detent: String, Codable, CaseIterable, Sendable {
    case medium, large
  }

  /// A sheet that can be swiped away, and that rests at one of the detents.
  case sheet([Detent])
  /// A cover of the whole screen.
  case fullScreenCover

  /// A sheet of full height.
  public static var sheet: Self { .sheet([.large]) }
}

/// The backdrop of a modal, between its box and the screens below.
public struct ModalBackground: Codable, Hashable, Sendable {
  /// The color as `#RRGGBB`.
  package let color: String
  /// The opacity, from 0 (clear) to 1 (opaque).
  package let opacity: Double
  /// True if a tap outside the box dismisses the modal. Otherwise only its own buttons do.
  package let dismissesOnTap: Bool

  /// Creates a backdrop, by default a dim one that dismisses the modal when it is tapped.
  public init(color: String = "#000000", opacity: Double = 0.6, dismissesOnTap: Bool = true) {
    self.color = color
    self.opacity = opacity
    self.dismissesOnTap = dismissesOnTap
  }
}

/// The way to show a queued screen; see ``Router/enqueue(_:_:)``.
public enum Segue: Hashable, Codable, Sendable {
  /// On top of the visible stack.
  case push
  /// In a stack of its own, over everything so far.
  case present(PresentationStyle)
  /// In a box over everything.
  case modal(ModalBackground)
}
