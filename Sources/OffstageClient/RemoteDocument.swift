public import Observation
internal import OffstageJSON

/// The front end's copy of the core's document, as observable models.
///
/// A view is invalidated when a part that it reads changes: the open screens, the navigation, the
/// prompts, one output of a screen, or one field.
@MainActor
@Observable
public final class RemoteDocument {
  /// The revision of the last frame.
  public private(set) var revision = 0
  /// The screens on display.
  public private(set) var navigation = RemoteNavigation(.null)
  /// The open screens, by id.
  public private(set) var screens: [String: RemoteScreen] = [:]
  /// The app itself, as the screen `app`; nil if the app has no state of its own.
  public private(set) var app: RemoteScreen?
  /// The questions that wait for an answer, in the order to show them in.
  public private(set) var prompts: [RemotePrompt] = []

  @ObservationIgnored private var json = JSON.null
  @ObservationIgnored private unowned let core: RemoteCore

  init(core: RemoteCore) { self.core = core }

  /// The whole document.
  public var value: Value {
    _ = revision
    return Value(json)
  }

  /// The visible screens, the topmost first.
  public var visible: [RemoteScreen] { navigation.visible.compactMap { screens[$0] } }

  /// Applies a frame completely or not at all.
  /// - Returns: False if the frame repeats a revision, as after `resume`, and changes nothing.
  /// - Throws: An error if the revision does not follow or the patch does not fit. Only a snapshot
  ///   helps then.
  @discardableResult
  func apply(_ frame: Frame) throws(JSONPatchError) -> Bool {
    if !frame.isWhole {
      if frame.revision <= revision { return false }
      guard frame.revision == revision + 1 else {
        throw JSONPatchError("revision \(frame.revision) does not follow \(revision)")
      }
    }
    let changes = Changes(frame)
    let parts = changes.parts.filter { !changes.screens.contains($0.key) }
    // Leave the document as the only owner, so that lists are patched in place.
    for id in parts.keys { screen(id)?.content = .null }
    let result = Result { () throws(JSONPatchError) in
      if !frame.patch.isNull { try json.apply(frame.patch.json) }
    }
    for (id, parts) in parts {
      guard let screen = screen(id) else { continue }
      screen.content = content(id)
      if case .success = result { screen.changed(parts) }
    }
    try result.get()
    update(changes)
    revision = frame.revision
    return true
  }

  private func update(_ changes: Changes) {
    let isWhole = changes.isWhole
    let open = json["screens"]?.object?.members.map(\.key) ?? []
    for id in isWhole ? Set(screens.keys).union(open + ["app"]) : changes.screens { update(id) }
    if isWhole || changes.navigation { navigation = RemoteNavigation(value(of: "navigation")) }
    if isWhole || changes.prompts { prompts = RemotePrompt.all(value(of: "prompts")) }
  }

  private func update(_ id: String) {
    let content = content(id)
    let kind = id == "app" ? content.object.map { _ in "app" } : content["kind"]?.string
    if let screen = screen(id), screen.kind == kind {
      screen.content = content
      screen.changed([.everything])
      return
    }
    screen(id)?.close()
    let screen = kind.map { RemoteScreen(id: id, kind: $0, content, core: core) }
    if id == "app" { app = screen } else { screens[id] = screen }
  }

  private func screen(_ id: String) -> RemoteScreen? { id == "app" ? app : screens[id] }

  private func content(_ id: String) -> JSON {
    (id == "app" ? json["app"] : json["screens"]?[id]) ?? .null
  }

  private func value(of member: String) -> Value { Value(json[member] ?? .null) }
}
