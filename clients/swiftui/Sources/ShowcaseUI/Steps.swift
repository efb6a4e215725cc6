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

  /// Sends a request. A refusal, such as at the root, changes nothing.
  private func perform(_ request: @escaping @MainActor () async throws -> RemoteCore.Outcome) {
    Task { _ = try? await request() }
  }
}
