import Offstage

extension String {
  /// The closest valid identifier.
  var identifier: String {
    // `Type` and `Protocol` cannot be members, not even in backticks.
    let isValid =
      first?.isNumber == false && allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
      && self != "Type" && self != "Protocol"
    if isValid, contains(where: { $0 != "_" }) { return self }
    let name = pascalCased.prefix(1).lowercased() + pascalCased.dropFirst()
    if name.isEmpty { return "value" }
    return name.first?.isNumber == true ? "_" + name : name
  }

  /// The identifier as written in code: a keyword gets backticks.
  var escaped: String { isKeyword ? "`\(self)`" : self }

  var quoted: String { debugDescription }

  var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

  var isKeyword: Bool { Self.keywords.contains(self) }

  private static let keywords: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]
}

extension [String] {
  /// The closest valid identifier of each text, with a number added if an earlier text has the
  /// same.
  var identifiers: [String] {
    var taken: Set<String> = []
    return map { taken.add($0.identifier) }
  }
}

extension Set<String> {
  /// Adds a name, with a number if the set already contains the name.
  /// - Returns: The name that was added.
  mutating func add(_ name: String) -> String {
    var candidate = name
    var number = 1
    while !insert(candidate).inserted {
      number += 1
      candidate = name + String(number)
    }
    return candidate
  }
}
