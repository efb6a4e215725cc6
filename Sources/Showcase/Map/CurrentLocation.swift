import Offstage

extension Prompt where Answer == Coordinate {
  /// Asks the device where the person is.
  static var currentLocation: Self { Prompt(PromptDescription.currentLocationKind) }
}

extension PromptDescription {
  fileprivate static let currentLocationKind = "location.current"

  static let currentLocation = PromptDescription(currentLocationKind, answer: Coordinate.self)
}
