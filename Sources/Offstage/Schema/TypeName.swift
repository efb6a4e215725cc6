/// The name of a type in a description, without punctuation.
struct TypeName: Hashable {
  let module: String
  let name: String

  init(_ type: Any.Type) {
    // Such as `Books.Search.Page<Books.Book>` or `(extension in Books):Swift.String.Name`.
    // `String(reflecting:)` prints the same, but first looks for conformances that the type does
    // not have, which took a seventh of a program's start.
    var text = _typeName(type, qualified: true)[...]
    self.init(parsing: &text)
  }

  private init(parsing text: inout Substring) {
    var parts: [String] = []
    repeat {
      // A private or local type: `(unknown context at $1234)`.
      if text.first == "(" {
        text = text.drop { $0 != ")" }.dropFirst()
        // A type in an extension of one of another module has `(extension in Books):` before it.
        if text.first == ":" { text.removeFirst() } else { continue }
      }
      let part = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !part.isEmpty else { break }
      text = text.dropFirst(part.count)
      parts.append(part.prefix(1).uppercased() + part.dropFirst() + Self.arguments(of: &text))
    } while text.first == "." && text.popFirst() != nil || text.first == "("
    module = parts.first ?? ""
    name = parts.count > 1 ? parts.dropFirst().joined() : module
  }

  /// `<Books.Book, Swift.Int>` is `OfBookAndInt`.
  private static func arguments(of text: inout Substring) -> String {
    guard text.first == "<" else { return "" }
    var names: [String] = []
    repeat {
      text.removeFirst()
      text = text.drop { $0 == " " }
      names.append(TypeName(parsing: &text).name)
    } while text.first == ","
    if text.first == ">" { text.removeFirst() }
    return "Of" + names.joined(separator: "And")
  }
}

extension AnyKeyPath {
  /// The name of the stored property that the path ends with; nil for a computed one.
  var memberName: String? {
    // Such as `\Place.name` or `\Page<Book>.items`.
    let text = debugDescription
    guard !text.contains("computed"), let dot = text.lastIndex(of: ".") else { return nil }
    let name = text[text.index(after: dot)...]
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(name) : nil
  }
}

extension String {
  /// `signUp` and `location.current` are `SignUp` and `LocationCurrent`.
  package var pascalCased: String {
    split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
  }
}
