internal import OffstageJSON

/// Sends lifecycle inputs, once each time a screen or one of its parts becomes visible or hidden.
@MainActor
struct Lifecycle {
  private var visible: [Place] = []

  mutating func update(_ core: Core) {
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
    on screen: Screen, _ description: AppDescription
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
        if rows != nil {
          let id = shown["id"]
          place.path += JSONPointer.escape(id.string ?? "\(id)") + "/"
        }
        places.append((place, shown))
        place.addParts(of: about, in: shown, description, to: &places)
      }
    }
  }

  /// Sends the inputs for a moment.
  /// - Parameter list: The list whose end is shown; nil for other moments.
  @MainActor
  func send(
    _ moment: String, of list: String? = nil, _ core: Core, _ description: AppDescription
  ) {
    guard let screen = core.document.screens[screen] else { return }
    let about = part.flatMap { description.parts[$0] } ?? description[screen]
    for port in about.inputs where port.moment == moment {
      if let list, !port.rows.isEmpty, !port.rows.contains(where: { $0.list == list }) { continue }
      screen.send(path + port.name)
    }
  }
}

extension Screen {
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

/// How a front end introduces itself to the core.
public struct Options: Sendable {
  /// Answers prompts of one kind. Its task is canceled if the core withdraws the prompt.
  /// - Returns: The answer.
  /// - Throws: ``PromptDismissed`` to dismiss the prompt. Any other error rejects the prompt with
  ///   the text of the error.
  public typealias PromptHandler = @MainActor @Sendable (Prompt) async throws -> Value

  /// The name of the front end.
  public var client = "offstage-swift"
  /// The version of the front end.
  public var version = "0.1.0"
  /// The locale, such as `ko-KR`; nil to use that of the core's process.
  public var locale: String?
  /// The time zone, such as `Asia/Seoul`; nil to use that of the core's process.
  public var timeZone: String?
  /// The handlers of prompts, by kind. Their kinds and ``announces`` are announced to the core.
  public var handlers: [String: PromptHandler] = [:]
  /// Other kinds of prompts, which your views show and answer.
  public var announces: [String] = []
  /// True to send lifecycle inputs when screens appear and disappear.
  public var sendsLifecycle = true
  /// True if the core may return paths of files on this machine.
  public var sharesFiles = false
  /// Called with each entry of the core's log at level `info` or higher.
  public var onLog: (@MainActor @Sendable (Value) -> Void)?

  /// Creates the options of a front end without prompt handlers.
  public init() {}

  /// The params of `initialize`.
  var introduction: Value {
    let kinds = Set(handlers.keys).union(announces).sorted()
    var members: [(name: String, value: Value)] = [
      ("protocol", 1), ("client", ["name": Value(client), "version": Value(version)]),
      ("capabilities", Value(kinds.map { Value($0) })),
    ]
    if let locale { members.append(("locale", Value(locale))) }
    if let timeZone { members.append(("timeZone", Value(timeZone))) }
    if sharesFiles { members.append(("files", true)) }
    if onLog != nil { members.append(("log", "info")) }
    return Value(members: members)
  }
}

/// A core's response to the introduction of a front end.
public struct Handshake: Sendable {
  /// The name and the version of the app.
  public let app: (name: String, version: String)
  /// The id of this run of the core.
  public let session: String
  /// A hash of the app's description. Generated code with the same hash fits the app.
  public let schema: String?
  /// The whole response.
  public let value: Value

  init(_ value: Value) {
    app = (value["app"]["name"].string ?? "", value["app"]["version"].string ?? "")
    session = value["session"].string ?? ""
    schema = value["schema"].string
    self.value = value
  }
}
