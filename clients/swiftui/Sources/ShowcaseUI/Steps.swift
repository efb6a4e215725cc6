import OffstageClient

/// Sends a person's navigation as requests, such as a swipe back, a tab, or pulling down a sheet.
///
/// The view changes only after the core has navigated, so a screen that asks first stays put.
@MainActor
struct Steps {
  let core: RemoteCore

  /// Closes the screens that were removed from the path of a stack.
  /// - Parameters:
  ///   - old: The ids of the stack in the document.
  ///   - new: The remaining ids.
  func shorten(_ old: [String], to new: [String]) {
    guard new.count < old.count, old.starts(with: new), let last = new.last else { return }
    perform { try await core.popTo(last) }
  }

  func select(_ tab: String) { perform { try await core.selectTab(tab) } }

  func dismiss(_ presentation: String) {
    perform { try await core.dismiss(presentation: presentation) }
  }

  func answer(_ question: Question, _ choice: Question.Choice, _ texts: [String: String] = [:]) {
    let answer = question.answer(choice, texts)
    perform {
      try await core.answer(question.prompt, answer)
      return .done
    }
  }

  func dismiss(_ question: Question) {
    perform {
      try await core.dismiss(question.prompt)
      return .done
    }
  }

  /// The prompt to show: the first one whose screen is visible, and that no handler answers.
  var question: Question? {
    guard let description = core.description else { return nil }
    let visible = core.document.navigation.visible
    let prompt = core.document.prompts.first {
      core.options.handlers[$0.kind] == nil && (visible.contains($0.screen) || $0.screen == "app")
    }
    return prompt.map { Question($0, description) }
  }

  /// Sends a request. A refusal, such as at the root, changes nothing.
  private func perform(_ request: @escaping @MainActor () async throws -> RemoteCore.Outcome) {
    Task { _ = try? await request() }
  }
}
