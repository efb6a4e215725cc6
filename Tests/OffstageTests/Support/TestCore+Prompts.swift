import Offstage
import OffstageJSON
import OffstageTesting

extension TestCore {
  /// Answers a prompt as the front end does.
  /// - Returns: false where there is no such prompt.
  @discardableResult
  func answer(_ id: String, _ json: String) throws -> Bool {
    try JSONText(json).withRoot { try core.answer(id, $0) }
  }

  /// What waits for an answer, as `q1 alert of 1`.
  var prompts: [String] {
    core.prompts.entries.map { "\($0.id) \($0.kind) of \($0.screen)" }
  }
}
