internal import OffstageJSON

/// The name of one prompt in one run: `q1`, `q2`, and so on.
package typealias PromptID = String

/// The prompts that wait for an answer: bookkeeping without a core.
package struct PromptBoard {
  package struct Entry {
    package let id: PromptID
    package let kind: String
    package let screen: ScreenID
    package let params: [UInt8]
    /// Takes an answer, or refuses it for its shape.
    let answer: @CoreActor (JSONView) throws(JSONMismatch) -> Void
    let fail: @CoreActor (any Error) -> Void
  }

  package private(set) var entries: [Entry] = []
  private var lastPrompt = 0

  package subscript(id: PromptID) -> Entry? { entries.first { $0.id == id } }

  mutating func nextID() -> PromptID {
    lastPrompt += 1
    return "q\(lastPrompt)"
  }

  mutating func add(_ entry: Entry) { entries.append(entry) }

  mutating func remove(_ id: PromptID) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: index)
  }
}
