/// The methods of the protocol.
///
/// Requests are sent in the order of the calls. When a call returns, the document shows its effect.
/// Every call throws ``Refusal`` if the core refuses, ``CoreEnded`` if the core has ended, and
/// `CancellationError` if the task is canceled, which also cancels the request in the core.
extension RemoteCore {
  /// The result of a navigation.
  public enum Outcome: String, Sendable {
    case done
    /// Nothing has moved yet: a screen asks the user first, or a link waits.
    case asked
    /// There was nothing to do.
    case none
  }

  /// Answers a prompt.
  public func answer(_ prompt: RemotePrompt, _ value: Value) async throws {
    try await request("answer", prompt.answer(value))
  }

  /// Answers a prompt with an error, such as when the device lacks a sensor.
  public func reject(_ prompt: RemotePrompt, message: String) async throws {
    try await request("answer", prompt.rejection(message))
  }

  /// Closes a prompt without an answer.
  public func dismiss(_ prompt: RemotePrompt) async throws {
    try await request("answer", prompt.dismissal)
  }

  /// Removes the topmost screen.
  @discardableResult
  public func back() async throws -> Outcome { try await navigate("back", [:]) }

  /// Closes the sheet, cover, or modal with an id.
  @discardableResult
  public func dismiss(presentation: String) async throws -> Outcome {
    try await navigate("dismiss", ["presentation": Value(presentation)])
  }

  /// Closes the sheet, cover, or modal that contains a screen, or pops the screen off the root
  /// stack.
  @discardableResult
  public func dismiss(screen: String) async throws -> Outcome {
    try await navigate("dismiss", ["screen": Value(screen)])
  }

  /// Closes everything that covers a screen.
  @discardableResult
  public func popTo(_ screen: String) async throws -> Outcome {
    try await navigate("popTo", ["screen": Value(screen)])
  }

  /// Selects a tab.
  @discardableResult
  public func selectTab(_ tab: String) async throws -> Outcome {
    try await navigate("selectTab", ["tab": Value(tab)])
  }

  /// Opens a deep link.
  @discardableResult
  public func open(_ url: String) async throws -> Outcome {
    try await navigate("open", ["url": Value(url)])
  }

  /// Waits until nothing more happens without the user, the device, or the clock.
  public func settle() async throws { try await request("state/settle") }

  /// Advances the virtual clock of a deterministic core.
  public func advance(milliseconds: Int) async throws {
    try await request("clock/advance", ["milliseconds": Value(milliseconds)])
  }

  /// Returns up to 4 MiB of the bytes behind a `resource:` URI, in Base64. Returns no bytes for a
  /// file if ``Options/sharesFiles`` is true.
  public func resource(_ uri: String) async throws -> (mimeType: String, base64: String) {
    let result = try await request("resource/read", ["uri": Value(uri)])
    return (result["mimeType"].string ?? "", result["base64"].string ?? "")
  }

  /// Returns the whole document from the core.
  public func snapshot() async throws -> (revision: Int, state: Value) {
    let result = try await request("state/snapshot")
    return (result["revision"].int ?? 0, result["state"])
  }

  private func navigate(_ method: String, _ params: Value) async throws -> Outcome {
    let result = try await request("navigation/" + method, params)
    return result["outcome"].string.flatMap(Outcome.init) ?? .done
  }
}
