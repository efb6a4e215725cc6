/// A question that the core asks the front end, such as an alert.
public struct RemotePrompt: Hashable, Identifiable, Sendable {
  /// The id in the document.
  public let id: String
  /// The kind, such as `alert` or `location.current`.
  public let kind: String
  /// The id of the screen that asks.
  public let screen: String
  /// The question itself; its shape depends on the kind.
  public let params: Value

  // The params of the method `answer`.
  func answer(_ value: Value) -> Value { ["prompt": Value(id), "value": value] }
  func rejection(_ message: String) -> Value {
    ["prompt": Value(id), "error": ["message": Value(message)]]
  }
  var dismissal: Value { ["prompt": Value(id), "dismissed": true] }

  static func all(_ value: Value) -> [RemotePrompt] {
    let prompts = value.members?.map { id, prompt in
      RemotePrompt(
        id: id, kind: prompt["kind"].string ?? "", screen: prompt["screen"].string ?? "",
        params: prompt["params"])
    }
    // `q2` before `q10`.
    return (prompts ?? []).sorted { ($0.id.utf8.count, $0.id) < ($1.id.utf8.count, $1.id) }
  }
}

/// The error that a prompt handler throws if the user closes the prompt without an answer.
public struct PromptDismissed: Error {
  /// Creates the error.
  public init() {}
}

@MainActor
struct Prompter {
  private var running: [String: Task<Void, Never>] = [:]

  mutating func update(_ core: RemoteCore) {
    let prompts = core.document.prompts
    for (id, task) in running where !prompts.contains(where: { $0.id == id }) {
      task.cancel()
      running[id] = nil
    }
    for prompt in prompts where running[prompt.id] == nil {
      guard let handler = core.options.handlers[prompt.kind] else { continue }
      running[prompt.id] = Task { [weak core] in
        let params: Value
        do { params = prompt.answer(try await handler(prompt)) } catch is PromptDismissed {
          params = prompt.dismissal
        } catch {
          params = prompt.rejection("\(error)")
        }
        guard !Task.isCancelled else { return }
        // Does not wait for the response: the frame that removes the prompt cancels this task.
        core?.send("answer", params)
      }
    }
  }

  func stop() { for task in running.values { task.cancel() } }
}
