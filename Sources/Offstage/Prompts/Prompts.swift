package import OffstageJSON

/// Asks the person or the device, on behalf of the screen that it was made with.
@CoreActor
public final class Prompts {
  private let node: ScreenNode

  /// The prompts of the screen that is being made.
  public init() { node = ScreenNode.making("Prompts()") }

  /// Puts a question into the document and waits for its answer.
  ///
  /// It goes when it is answered, when the screen closes, and when the work that asked is cancelled.
  /// - Throws: `PromptError`, or `CancellationError`. A question that the front end cannot ask is
  ///   refused at once, so the core never hangs on a front end.
  public func ask<Answer>(_ prompt: Prompt<Answer>) async throws -> Answer {
    guard node.screen != nil else { throw CancellationError() }
    return try await node.core.ask(prompt, for: node.id)
  }
}

extension Core {
  fileprivate func ask<Answer: Codable & Sendable>(
    _ prompt: Prompt<Answer>, for screen: ScreenID
  ) async throws -> Answer {
    guard canAsk(prompt.kind) else { throw PromptError.unsupported(kind: prompt.kind) }
    for failure in prompt.failures { report(Fault(failure)) }
    return try await Parking<Answer>.wait { parking in
      let id = prompts.nextID()
      prompts.add(
        PromptBoard.Entry(
          id: id, kind: prompt.kind, screen: screen, params: prompt.params,
          answer: { (value: JSONView) throws(JSONMismatch) in
            let answer = try value.decode(Answer.self)
            if let expected = prompt.objection(answer) {
              throw JSONMismatch(path: "", expected: expected, found: value.json.description)
            }
            parking.end(with: .success(answer))
          },
          fail: { parking.end(with: .failure($0)) }))
      changed(id)
      return { [unowned self] in withdraw(id) }
    }
  }

  private func canAsk(_ kind: String) -> Bool {
    capabilities.contains(kind) || PromptDescription.everywhere.contains { $0.kind == kind }
  }

  /// Answers a prompt.
  /// - Returns: false where there is none, or no longer.
  /// - Throws: `JSONMismatch` for an answer of the wrong shape; the prompt then stays.
  package func answer(_ id: PromptID, _ value: JSONView) throws(JSONMismatch) -> Bool {
    guard let prompt = prompts[id] else { return false }
    try prompt.answer(value)
    withdraw(id)
    return true
  }

  /// Ends a prompt without an answer.
  /// - Returns: false where there is none, or no longer.
  package func refuse(_ id: PromptID, _ error: PromptError) -> Bool {
    guard let prompt = prompts[id] else { return false }
    withdraw(id)
    prompt.fail(error)
    return true
  }

  /// Takes the prompts of a screen away that is about to end.
  func withdrawPrompts(of screen: ScreenID) {
    for prompt in prompts.entries where prompt.screen == screen {
      withdraw(prompt.id)
      prompt.fail(CancellationError())
    }
  }

  private func withdraw(_ id: PromptID) {
    if prompts.remove(id) != nil { changed(id) }
  }
}
