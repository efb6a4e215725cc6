public import Observation
internal import OffstageJSON

/// The front end's copy of the core's document, as observable models.
///
/// A view that reads a part is invalidated when this part changes: the open screens, the navigation,
/// the prompts, one output of a screen, or one field.
@MainActor
@Observable
public final class Document {
  /// The revision of the last frame.
  public private(set) var revision = 0
  /// The screens on display.
  public private(set) var navigation = Navigation(.null)
  /// The open screens, by id.
  public private(set) var screens: [String: Screen] = [:]
  /// The app as a whole, as the screen `app`; nil if it has no state of its own.
  public private(set) var app: Screen?
  /// The questions that wait for an answer, in the order in which they are to be shown.
  public private(set) var prompts: [Prompt] = []

  @ObservationIgnored private var replica = Replica()
  @ObservationIgnored private unowned let core: Core

  init(core: Core) { self.core = core }

  /// The whole document.
  public var value: Value {
    _ = revision
    return Value(replica.document)
  }

  /// The visible screens, the topmost first.
  public var visible: [Screen] { navigation.visible.compactMap { screens[$0] } }

  /// Applies a frame.
  /// - Throws: `UnfitFrame`; the document is then as before.
  func apply(_ frame: Frame) throws(UnfitFrame) {
    let changes = Changes(frame)
    let parts = changes.parts.filter { !changes.screens.contains($0.key) }
    // As its only owner, the replica patches a list in place.
    for id in parts.keys { screen(id)?.content = .null }
    let result = Result { () throws(UnfitFrame) in try replica.apply(frame) }
    for (id, parts) in parts {
      guard let screen = screen(id) else { continue }
      screen.content = content(id)
      if case .success = result { screen.changed(parts) }
    }
    try result.get()
    guard replica.revision != revision || changes.isWhole else { return }
    update(changes)
    revision = replica.revision
  }

  private func update(_ changes: Changes) {
    let isWhole = changes.isWhole
    let open = replica["screens"].object?.members.map(\.key) ?? []
    for id in isWhole ? Set(screens.keys).union(open) : changes.screens { updateScreen(id) }
    if isWhole { updateApp() }
    if isWhole || changes.navigation { navigation = Navigation(Value(replica["navigation"])) }
    if isWhole || changes.prompts { prompts = Prompt.all(Value(replica["prompts"])) }
  }

  private func updateScreen(_ id: String) {
    let content = content(id)
    guard let kind = content["kind"]?.string else {
      screens.removeValue(forKey: id)?.close()
      return
    }
    if let screen = screens[id], screen.kind == kind {
      screen.content = content
      screen.changed([.everything])
    } else {
      screens.removeValue(forKey: id)?.close()
      screens[id] = Screen(id: id, kind: kind, content, core: core)
    }
  }

  private func updateApp() {
    let content = content("app")
    if content.isNull {
      app = nil
    } else if let app {
      app.content = content
      app.changed([.everything])
    } else {
      app = Screen(id: "app", kind: "app", content, core: core)
    }
  }

  private func screen(_ id: String) -> Screen? { id == "app" ? app : screens[id] }

  private func content(_ id: String) -> JSON {
    id == "app" ? replica["app"] : replica["screens", id]
  }
}

/// A question that the core waits for, such as an alert.
public struct Prompt: Hashable, Identifiable, Sendable {
  /// The id in the document.
  public let id: String
  /// Such as `alert` or `location.current`.
  public let kind: String
  /// The id of the screen that asks.
  public let screen: String
  /// The question itself; its shape depends on the kind.
  public let params: Value

  /// Reads the prompts of a document.
  static func all(_ value: Value) -> [Prompt] {
    let prompts = value.members?.map { id, prompt in
      Prompt(
        id: id, kind: prompt["kind"].string ?? "", screen: prompt["screen"].string ?? "",
        params: prompt["params"])
    }
    // `q2` before `q10`.
    return (prompts ?? []).sorted { ($0.id.utf8.count, $0.id) < ($1.id.utf8.count, $1.id) }
  }
}
