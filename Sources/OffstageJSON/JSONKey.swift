/// A step into an object or an array, as `Codable` wants it.
enum JSONKey: CodingKey {
  case name(String)
  case position(Int)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .position(intValue) }

  var stringValue: String {
    switch self {
    case .name(let name): name
    case .position(let position): String(position)
    }
  }

  var intValue: Int? {
    switch self {
    case .name: nil
    case .position(let position): position
    }
  }
}
