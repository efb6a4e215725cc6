public import Offstage
internal import OffstageJSON

extension TestCore {
  // MARK: Navigation

  /// Opens a URL, as if the user followed a link.
  /// - Throws: An error if the URL leads nowhere.
  public func open(_ url: String) throws { try core.open(url) }

  /// Takes one step back, as the user does.
  /// - Returns: False at the root, or if a screen asks first: see ``Screen/mayLeave()``.
  @discardableResult
  public func back() -> Bool { core.back() == .done }

  /// Closes a screen, as the user does by swiping it away.
  /// - Returns: False for a stack's root, or if a screen asks first: see ``Screen/mayLeave()``.
  @discardableResult
  public func dismiss(_ screen: some Screen) -> Bool {
    guard let node = core.openScreens.first(where: { $0.part === screen }) else { return false }
    return core.dismiss(node.id) == .done
  }

  /// Selects a tab, as the user does.
  /// - Returns: False for an unknown tab, or beneath a sheet or cover.
  @discardableResult
  public func selectTab(_ id: String) -> Bool { core.selectTab(id) != nil }

  // MARK: Lists

  /// Scrolls a list with a window, as the user does.
  /// ```swift
  /// core.scroll(search.output.places, to: 900, count: 40)
  /// await core.settle()
  /// #expect(search.output.places.values.first?.id == 900)
  /// ```
  /// - Returns: The positions of the rows that come, as far as the length of the list is known.
  @discardableResult
  public func scroll<Row>(_ list: Rows<Row>, to first: Int, count: Int) -> Range<Int> {
    list.windowPort?.show(first: first, count: count) ?? 0..<list.count
  }

  // MARK: Prompts

  /// The prompts that are waiting for an answer, oldest first.
  public var prompts: [PendingPrompt] {
    core.prompts.map {
      PendingPrompt(
        id: $0.id, kind: $0.kind, screen: "\($0.screen)",
        params: String(decoding: $0.params, as: UTF8.self))
    }
  }

  /// Answers a prompt, by default the oldest one, as the user or the device does.
  /// ```swift
  /// try core.answer(Dialog.Answer(button: "ok"))
  /// ```
  /// - Throws: An error for an unknown prompt, or for an answer of the wrong type, after which the
  ///   prompt stays.
  public func answer(_ value: some Encodable, to id: String? = nil) throws {
    let id = try pendingPrompt(id)
    try JSONText(of: JSON(encoding: value)).withRoot { _ = try core.answer(id, $0) }
  }

  /// Ends a prompt without an answer, by default the oldest one.
  /// - Throws: An error for an unknown prompt.
  public func refuse(_ error: PromptError = .dismissed, prompt id: String? = nil) throws {
    _ = core.refuse(try pendingPrompt(id), error)
  }

  private func pendingPrompt(_ id: String?) throws -> String {
    let ids = prompts.map(\.id)
    guard let id = id ?? ids.first, ids.contains(id) else {
      throw TestError(description: "no prompt \(id ?? "waits"); pending: \(prompts)")
    }
    return id
  }
}

/// A prompt that is waiting for an answer.
public struct PendingPrompt: Hashable, Sendable, CustomStringConvertible {
  /// The id, such as `q1`.
  public let id: String
  /// The kind, such as `alert`.
  public let kind: String
  /// The id of the screen that asks.
  public let screen: String
  /// The content as JSON text.
  public let params: String

  /// A description such as `q1 alert of 1`.
  public var description: String { "\(id) \(kind) of \(screen)" }
}
