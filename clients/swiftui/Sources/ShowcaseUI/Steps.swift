import OffstageClient

/// Sends the navigation of a person as requests: a swipe back, a tab, a sheet that is pulled down.
///
/// The navigation moves once the core has moved it, so a screen that asks first stays where it is.
@MainActor
struct Steps {
  let core: Core

  /// A stack got a shorter path.
  /// - Parameters:
  ///   - old: The ids of the stack in the document.
  ///   - new: The ids that are left.
  func shorten(_ old: [String], to new: [String]) {
    guard new.count < old.count, old.starts(with: new), let last = new.last else { return }
    perform { try await core.popTo(last) }
  }

  func select(_ tab: String) { perform { try await core.selectTab(tab) } }

  func dismiss(_ presentation: String) {
    perform { try await core.dismiss(presentation: presentation) }
  }

  func answer(_ prompt: Prompt, button: String, fields: [String: String]) {
    let texts = Value(members: fields.sorted { $0.key < $1.key }.map { ($0.key, Value($0.value)) })
    perform {
      try await core.answer(prompt, ["button": Value(button), "fields": texts])
      return .done
    }
  }

  /// The prompt to show: the first one whose screen is visible.
  var prompt: Prompt? {
    let visible = core.document.navigation.visible
    return core.document.prompts.first {
      ["alert", "confirmationDialog"].contains($0.kind)
        && (visible.contains($0.screen) || $0.screen == "app")
    }
  }

  /// A refusal, such as at the root, leaves everything as it is.
  private func perform(_ request: @escaping @MainActor () async throws -> Core.Outcome) {
    Task { _ = try? await request() }
  }
}
