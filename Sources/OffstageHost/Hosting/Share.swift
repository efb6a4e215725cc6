/// The visitors that one of several processes of a host serves. A visitor's sessions share data, so they
/// are in one process.
struct Share: Equatable, CustomStringConvertible {
  /// The number of the process, from 1 on.
  let number: Int
  /// How many there are.
  let count: Int

  static let whole = Share(number: 1, count: 1)

  /// The number of the process that serves a visitor, which is the same in every run.
  static func number(of visitor: String, among count: Int) -> Int {
    // The low bits differ well between names.
    Int(visitor.utf8.fnv1a % UInt64(count)) + 1
  }

  func contains(_ visitor: String) -> Bool {
    count == 1 || Self.number(of: visitor, among: count) == number
  }

  var description: String { "\(number)/\(count)" }
}

extension Share {
  /// - Parameter text: As in `description`.
  init?(_ text: String) {
    let numbers = text.split(separator: "/").map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      (1...count).contains(number)
    else { return nil }
    self.init(number: number, count: count)
  }
}
