/// Sends the inputs of the role `lifecycle`, once for each time that a screen becomes visible or ceases
/// to be.
@MainActor
struct Lifecycle {
  private var visible: [String] = []

  mutating func update(_ core: Core) {
    guard let description = core.description else { return }
    let before = visible
    visible = core.document.navigation.visible
    for id in before where !visible.contains(id) { send("disappear", to: id, core, description) }
    for id in visible where !before.contains(id) { send("appear", to: id, core, description) }
  }

  /// A screen that has closed gets nothing.
  private func send(
    _ moment: String, to id: String, _ core: Core, _ description: AppDescription
  ) {
    guard let screen = core.document.screens[id] else { return }
    for port in description[screen].inputs where port.moment == moment { screen.send(port.name) }
  }
}

extension Screen {
  /// Sends the inputs for the end of a list, once for each length of the list. Call it when the last
  /// row comes into view.
  /// - Parameter list: The name of the output.
  public func showedEnd(of list: String) {
    guard let ports = core?.description?[self].inputs, isOpen else { return }
    let count = self[list].array?.count ?? 0
    guard shownEnds[list] != count else { return }
    shownEnds[list] = count
    for port in ports where port.moment == "end" {
      if port.rows.isEmpty || port.rows.contains(where: { $0.list == list }) { send(port.name) }
    }
  }
}

/// Throw it in a handler if the user closes a prompt without an answer.
public struct PromptDismissed: Error {
  /// A dismissal.
  public init() {}
}

/// Runs the handlers of the prompts in the document.
@MainActor
struct Prompter {
  private var running: [String: Task<Void, Never>] = [:]

  mutating func update(_ core: Core) {
    let prompts = core.document.prompts
    for (id, task) in running where !prompts.contains(where: { $0.id == id }) {
      task.cancel()
      running[id] = nil
    }
    for prompt in prompts where running[prompt.id] == nil {
      guard let handler = core.options.handlers[prompt.kind] else { continue }
      running[prompt.id] = Task { [weak core] in
        let params: Value
        do {
          params = ["prompt": Value(prompt.id), "value": try await handler(prompt)]
        } catch is PromptDismissed {
          params = ["prompt": Value(prompt.id), "dismissed": true]
        } catch {
          params = ["prompt": Value(prompt.id), "error": ["message": Value("\(error)")]]
        }
        guard !Task.isCancelled else { return }
        // Does not wait: the frame that takes the prompt away cancels this task.
        core?.post("answer", params) { _ in }
      }
    }
  }

  func stop() { for task in running.values { task.cancel() } }
}
