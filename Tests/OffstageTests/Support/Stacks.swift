import Testing

@testable import Offstage

/// A navigation in short: `tabs a*[1 3] b[2] | p1[4 5] | m1(6 of 5)`.
extension Navigation: CustomTestStringConvertible {
  public var testDescription: String {
    let base =
      switch root {
      case .stack(let screens): "stack[\(screens.list)]"
      case .tabs(let selected, let tabs):
        "tabs "
          + tabs.map { "\($0.id)\($0.id == selected ? "*" : "")[\($0.screens.list)]" }
          .joined(separator: " ")
      }
    let covers =
      presented.map { "\($0.id)[\($0.screens.list)]" }
      + modals.map { "\($0.id)(\($0.screen) of \($0.owner))" }
    return ([base] + covers).joined(separator: " | ")
  }
}

extension Navigation.Change {
  /// The commands in short: `pop 3, dismiss p1 5 4`.
  var commandList: String {
    commands.map { command in
      ([command.kind.rawValue]
        + [command.tab, command.presentation, command.modal].compactMap(\.self)
        + [command.screens.list]).joined(separator: " ")
    }.joined(separator: ", ")
  }
}

extension [ScreenID] {
  var list: String { map(\.description).joined(separator: " ") }
}

extension ScreenID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self.init(value) }
}
