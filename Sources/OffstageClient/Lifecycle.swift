internal import OffstageJSON

/// Sends lifecycle inputs, once each time a screen or one of its parts becomes visible or hidden.
@MainActor
struct Lifecycle {
  private var visible: [Place] = []

  mutating func update(_ core: RemoteCore) {
    guard let description = core.description else { return }
    let before = visible
    visible = core.document.visible.flatMap { Place.all(on: $0, description).map(\.place) }
    let (earlier, now) = (Set(before), Set(visible))
    let hidden = before.filter { !now.contains($0) }
    // Closed screens and removed parts get nothing.
    let screens = Set(hidden.map(\.screen)).compactMap { core.document.screens[$0] }
    let left = Set(screens.flatMap { Place.all(on: $0, description).map(\.place) })
    for place in hidden where left.contains(place) { place.send("disappear", core, description) }
    for place in visible where !earlier.contains(place) {
      place.send("appear", core, description)
    }
  }
}

/// A screen, or a part of one.
private struct Place: Hashable {
  let screen: String
  /// The path of the part, with a trailing slash; empty for a screen.
  var path = ""
  /// The name of the part in the description; nil for a screen.
  var part: String?

  /// Returns a screen and its parts with their outputs, outer ones first. Leaves the parts out if
  /// no part has lifecycle inputs.
  @MainActor
  static func all(
    on screen: RemoteScreen, _ description: AppDescription
  ) -> [(place: Place, outputs: Value)] {
    let outputs = Value(screen.content["output"] ?? .null)
    var places = [(place: Place(screen: screen.id), outputs: outputs)]
    if description.hasLifecycleParts {
      places[0].place.addParts(of: description[screen], in: outputs, description, to: &places)
    }
    return places
  }

  private func addParts(
    of owner: ScreenDescription, in outputs: Value, _ description: AppDescription,
    to places: inout [(place: Place, outputs: Value)]
  ) {
    for (output, part) in owner.children {
      guard let about = description.parts[part] else { continue }
      let rows = outputs[output].array
      for shown in rows ?? [outputs[output]] where !shown.isNull {
        var place = Place(screen: screen, path: path + "\(output)/", part: part)
        if rows != nil { place.path += RemotePart.step(to: shown["id"].json) + "/" }
        places.append((place, shown))
        place.addParts(of: about, in: shown, description, to: &places)
      }
    }
  }

  /// Sends the inputs for a moment.
  /// - Parameter list: The list whose end is shown; nil for other moments.
  @MainActor
  func send(
    _ moment: String, of list: String? = nil, _ core: RemoteCore, _ description: AppDescription
  ) {
    guard let screen = core.document.screens[screen] else { return }
    let about = part.flatMap { description.parts[$0] } ?? description[screen]
    for port in about.inputs where port.moment == moment {
      if let list, !port.rows.isEmpty, !port.rows.contains(where: { $0.list == list }) { continue }
      screen.send(path + port.name)
    }
  }
}

extension RemoteScreen {
  /// Sends the inputs for the end of a list, once per length of the list. Call this when the last
  /// row comes into view.
  /// - Parameter list: The name of the output, or its path within a part of the screen, such as
  ///   `lines/7/notes`.
  public func showedEnd(of list: String) {
    guard let core, let description = core.description, isOpen else { return }
    let nameStart = list.lastIndex(of: "/").map(list.index(after:)) ?? list.startIndex
    let (path, name) = (list[..<nameStart], String(list[nameStart...]))
    let places = Place.all(on: self, description)
    guard let (place, outputs) = places.first(where: { $0.place.path == path }) else { return }
    let count = outputs[name].array?.count ?? 0
    guard shownEnds[list] != count else { return }
    shownEnds[list] = count
    place.send("end", of: name, core, description)
  }
}
