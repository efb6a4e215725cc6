import Showcase

/// Places in and around Seoul, for the first start and for every deterministic one.
enum BuiltInPlaces {
  /// All of them; their ids count up from 1 in the order of the table.
  static let all: [Place] = builtInPlaceTable.split(separator: "\n").enumerated().map {
    Place(id: $0 + 1, line: $1)
  }
}

extension Place {
  /// Reads a line of the table; a wrong one stops the first test that touches the table.
  fileprivate init(id: Int, line: Substring) {
    let fields = line.split(separator: "|").map(String.init)
    self.init(
      id: id, name: fields[3], localName: fields[4], category: fields[2], lat: Double(fields[0])!,
      lng: Double(fields[1])!, rating: Self.sampleRating(of: fields[3]))
  }

  /// A rating from 3.5 to 5 that is made up from the name. Nobody has rated these places here: it is
  /// a sample, there for the sorting to have something to sort by.
  private static func sampleRating(of name: String) -> Double {
    let sum = name.utf8.reduce(UInt64(7)) { ($0 &* 31 &+ UInt64($1)) % 1_000_003 }
    return Double(35 + sum % 16) / 10
  }
}
