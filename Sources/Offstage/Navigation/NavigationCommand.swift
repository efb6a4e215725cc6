internal import OffstageJSON

/// What the navigation just did, for front ends that animate. The document already holds the
/// outcome.
package struct NavigationCommand: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case setRoot, selectTab
    case push, pop, popTo, moveToTop
    case present, dismiss
    case showModal, dismissModal
  }

  package let kind: Kind
  /// The screens that came or went, top first; for `popTo`, the one that is on top now.
  package let screens: [ScreenID]
  package var tab: String?
  package var presentation: String?
  package var modal: String?
  package var transition: Transition?

  init(
    _ kind: Kind, _ screens: some Sequence<ScreenID>, tab: String? = nil,
    presentation: String? = nil, modal: String? = nil, transition: Transition? = nil
  ) {
    self.kind = kind
    self.screens = Array(screens)
    self.tab = tab
    self.presentation = presentation
    self.modal = modal
    self.transition = transition
  }
}

/// How a change of screens moves, in the terms of Core Animation.
public struct Transition: Codable, Hashable, Sendable {
  /// How the new screen takes the place of the old one.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case fade, moveIn, push, reveal
  }

  /// Where it comes from.
  public enum Subtype: String, Codable, CaseIterable, Sendable {
    case fromRight, fromLeft, fromTop, fromBottom
  }

  /// How its speed changes on the way.
  public enum Curve: String, Codable, CaseIterable, Sendable {
    case linear, easeIn, easeOut, easeInEaseOut
  }

  /// How the new screen takes the place of the old one.
  public let type: Kind
  /// Where it comes from; nil for a fade, which comes from nowhere.
  public let subtype: Subtype?
  /// Seconds.
  public let duration: Double
  /// How its speed changes on the way.
  public let curve: Curve

  /// - Parameter duration: in seconds.
  public init(
    _ type: Kind, _ subtype: Subtype? = nil, duration: Double = 0.25, curve: Curve = .easeInEaseOut
  ) {
    self.type = type
    self.subtype = subtype
    self.duration = duration
    self.curve = curve
  }
}
