/// Sends lifecycle inputs, once each time a screen or one of its parts becomes visible or hidden.
@MainActor
struct Lifecycle {
  private var visible: [RemotePart] = []

  mutating func update(_ core: RemoteCore) {
    guard let description = core.description else { return }
    let before = visible
    visible = core.document.visible.flatMap { RemotePart($0, description).withLifecycleParts }
    let (earlier, now) = (Set(before.map(\.place)), Set(visible.map(\.place)))
    let hidden = before.filter { !now.contains($0.place) }
    // Closed screens and removed parts get nothing.
    let screens = Set(hidden.map(\.screen.id)).compactMap { core.document.screens[$0] }
    let parts = screens.flatMap { RemotePart($0, description).withLifecycleParts }
    let left = Set(parts.map(\.place))
    for part in hidden where left.contains(part.place) { part.send(moment: "disappear") }
    for part in visible where !earlier.contains(part.place) { part.send(moment: "appear") }
  }
}

extension RemotePart {
  /// What no other screen or part has.
  fileprivate var place: String { "\(screen.id)/\(path)" }

  /// This part and those within it, outer ones first. Leaves them out if no part of the app has
  /// lifecycle inputs.
  fileprivate var withLifecycleParts: [RemotePart] {
    guard app.hasLifecycleParts else { return [self] }
    let inner = description.children.flatMap { parts(of: $0.output) }
    return [self] + inner.flatMap(\.withLifecycleParts)
  }

  /// - Parameter list: The list whose end is shown; nil for other moments.
  fileprivate func send(moment: String, of list: String? = nil) {
    for port in description.inputs where port.moment == moment {
      if let list, !port.rows.isEmpty, !port.rows.contains(where: { $0.list == list }) { continue }
      send(port.name)
    }
  }
}

extension RemoteScreen {
  /// Sends the inputs for the end of a list, once per length of the list. Call this when the last
  /// row comes into view.
  /// - Parameter list: The name of the output, or its path within a part of the screen, such as
  ///   `lines/7/notes`.
  public func showedEnd(of list: String) {
    guard let description = core?.description, isOpen else { return }
    let nameStart = list.lastIndex(of: "/").map(list.index(after:)) ?? list.startIndex
    let (path, name) = (String(list[..<nameStart]), String(list[nameStart...]))
    guard let part = RemotePart(self, description).part(at: path) else { return }
    let count = part[name].array?.count ?? 0
    guard shownEnds[list] != count else { return }
    shownEnds[list] = count
    part.send(moment: "end", of: name)
  }
}
