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

  func answer(_ prompt: RemotePrompt, button: String, fields: [String: String]) {
    let texts = Value(members: fields.sorted { $0.key < $1.key }.map { ($0.key, Value($0.value)) })
    perform {
      try await core.answer(prompt, ["button": Value(button), "fields": texts])
      return .done
    }
  }

  /// The prompt to show: the first one whose screen is visible.
  var prompt: RemotePrompt? {
    let visible = core.document.navigation.visible
    return core.document.prompts.first {
      ["alert", "confirmationDialog"].contains($0.kind)
        && (visible.contains($0.screen) || $0.screen == "app")
    }
  }

  /// Sends a request. A refusal, such as at the root, changes nothing.
  private func perform(_ request: @escaping @MainActor () async throws -> RemoteCore.Outcome) {
    Task { _ = try? await request() }
  }
}
