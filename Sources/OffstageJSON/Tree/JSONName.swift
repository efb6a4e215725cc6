/// A string that is equal only to the very same bytes.
struct JSONName: Hashable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (left: JSONName, right: JSONName) -> Bool {
    left.name.isIdentical(to: right.name)
  }

  func hash(into hasher: inout Hasher) {
    name.withBytes { hasher.combine(bytes: $0) }
  }
}
