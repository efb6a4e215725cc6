@testable import Showcase

extension Avatar {
  static let mina = Avatar(
    id: "mina", name: "Mina", category: .cooks, description: "A cook.", image: "data:,mina")
  static let misty = Avatar(
    id: "misty", name: "Misty", category: .animals, description: "A cat.", image: "data:,misty")
}

extension TrackedEvent {
  /// The event in one line, its parameters in the order of their names.
  var line: String {
    let pairs = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return ([name] + pairs).joined(separator: " ")
  }
}
