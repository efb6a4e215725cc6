import OffstageFoundation

/// Removes a model's thoughts from a streamed reply: everything from `<think>` to `</think>`, and the
/// white space after it. A tag behind a backtick is text.
struct ThoughtFilter {
  private(set) var isThinking = false
  /// The end of the text if it may be the start of a tag.
  private var held = ""
  private var trimsSpace = false
  private var last: Character?

  /// Returns the part of a piece, and of the text held back before it, that belongs to the reply.
  mutating func text(_ piece: String) -> String {
    var rest = held + piece
    var result = ""
    while let tag = rest.firstRange(of: isThinking ? "</think>" : "<think>") {
      if isThinking {
        trimsSpace = last?.isWhitespace ?? true
      } else {
        emit(rest[..<tag.lowerBound], to: &result)
        if last == "`" {
          emit(rest[tag], to: &result)
          rest.removeSubrange(..<tag.upperBound)
          continue
        }
      }
      isThinking.toggle()
      rest.removeSubrange(..<tag.upperBound)
    }
    held = rest.end(beginning: isThinking ? "</think>" : "<think>")
    if !isThinking { emit(rest.dropLast(held.count), to: &result) }
    return result
  }

  /// Returns the text held back at the end of a reply.
  func rest() -> String { isThinking ? "" : held }

  private mutating func emit(_ text: Substring, to result: inout String) {
    let visible = trimsSpace ? text.drop(while: \.isWhitespace) : text
    if visible.isEmpty { return }
    trimsSpace = false
    last = visible.last
    result += visible
  }
}

extension String {
  /// Returns the longest end of the string that is the beginning of a tag.
  fileprivate func end(beginning tag: String) -> String {
    let lengths = (0..<min(count + 1, tag.count)).reversed()
    let length = lengths.first { tag.hasPrefix(suffix($0)) } ?? 0
    return String(suffix(length))
  }
}
