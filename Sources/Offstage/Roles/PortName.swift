/// The name of an input, taken apart: what it is about, and what happens to it.
struct InputStem {
  let subject: [String]
  /// The last word, such as `tapped`, if it names what happens; nil for `confirm`.
  let verb: String?

  init(_ words: [String]) {
    verb = words.last.flatMap { words.count > 1 && Label.verbs.contains($0) ? $0 : nil }
    subject = verb == nil ? words : words.dropLast()
  }

  var alternatives: [[String]] { verb.map { [subject, subject + [$0]] } ?? [subject] }

  var isTap: Bool {
    ["tapped", "pressed", "clicked", "selected", "opened"].contains(verb)
      || verb.map { Label.actions[$0] != nil } == true
  }

  var isMove: Bool { Label.actions[verb ?? ""] == "Move" }

  var isSecret: Bool {
    subject.contains { ["password", "passcode", "passphrase"].contains($0) }
  }

  /// True for the list `places` and for rows of the type `PlaceRow`, if the subject is `place`.
  func names(_ list: [String], rows: any Any.Type) -> Bool {
    guard let last = subject.last else { return false }
    if list.dropLast() == subject.dropLast(),
      [last, last + "s", last + "es", last.dropLast() + "ies"].contains(list.last)
    {
      return true
    }
    let type = TypeName(rows).name.words
    return type.indices.contains(where: { type[$0...].starts(with: subject) })
  }
}
