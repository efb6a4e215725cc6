package import OffstageJSON

/// The state of a core as one JSON value, from which another core starts as if nothing had happened.
///
/// A screen is created from its route, as always. The state adds what it had kept, by name: the
/// content of its fields, outputs, and values, and the same for its parts. What it computes or loads
/// comes from its `init` and from `didAppear`, which the core sends to what was on display.
extension Core {
  /// Returns everything that a start needs.
  package func state() -> JSON {
    var state: JSONObject = [
      "time": .int(clock.now.microseconds),
      "language": .string(frontEndLocale.language.description),
      "timeZone": .string(frontEndLocale.timeZone.description),
      "display": display.state, "lastScreen": .int(lastScreen), "lastPrompt": .int(lastPrompt),
      "navigation": JSON(encoding: navigation),
      "tabs": .object(
        JSONObject(
          navigation.stacks.compactMap(\.tab).map { id in
            (key: id, value: .string(tabLabels[id]?.title(userLocale.language) ?? ""))
          })),
      "screens": .array(openScreens.compactMap { self.state(of: $0) }),
      "queue": .array(
        enqueued.map { route, segue in
          var queued = route.state
          queued["segue"] = JSON(encoding: segue)
          return .object(queued)
        }),
    ]
    if let scope { state["scope"] = .object(scope.state) }
    if let waitingLink { state["link"] = .string(waitingLink.url) }
    return .object(state)
  }

  /// nil for the screen of a test, which has no route.
  private func state(of node: ScreenNode) -> JSON? {
    guard let route = node.route else { return nil }
    var state = route.state
    state["id"] = .string(node.id.description)
    for (name, value) in node.state.members { state[name] = value }
    let receivers: [JSON] = node.receivers.compactMap { port in
      port.node.map {
        ["screen": .string($0.id.description), "input": .string($0.fullName(port.name))]
      }
    }
    if !receivers.isEmpty { state["deliverTo"] = .array(receivers) }
    return .object(state)
  }

  // MARK: The start

  /// Shows what the core with this state showed. What cannot come back is left out, with a line in
  /// the log; if no screen can, shows the app's root.
  /// - Throws: `NavigationError`, or what a factory throws. Nothing is shown then.
  package func start(from state: JSON) throws {
    if clock.isVirtual, let time = state["time"]?.int { clock.move(to: .microseconds(time)) }
    display = DisplaySettings(state: state["display"] ?? [:])
    lastPrompt = state["lastPrompt"]?.int ?? 0
    try startScope(from: state["scope"] ?? [:])
    scope?.appearAgain()
    guard restoreScreens(from: state) else { return try start() }
    for saved in state["queue"]?.array ?? [] {
      guard let route = Route(state: saved), let segue = try? saved["segue"]?.decode(Segue.self)
      else { continue }
      enqueued.append((route, segue))
    }
    if let url = state["link"]?.string, let link = app.links.first(where: { $0.match(url) != nil })
    {
      waitingLink = WaitingLink(link: link, url: url, cause: nil)
    }
  }

  /// - Returns: False if the screens cannot be shown.
  private func restoreScreens(from state: JSON) -> Bool {
    guard var navigation = try? state["navigation"]?.decode(Navigation.self), navigation.isValid
    else { return false }
    lastScreen = max(lastScreen, state["lastScreen"]?.int ?? 0)
    let saved = state["screens"]?.array ?? []
    for screen in saved { restoreScreen(screen) }
    let restored = openScreens
    navigation.leaveOut { screens[$0] == nil }
    guard fillTabs(of: &navigation, titles: state["tabs"]) else {
      end(restored.map(\.id).reversed())
      return false
    }
    self.navigation = navigation
    for node in openScreens { node.url = url(of: node) }
    change { $0.navigation.formUnion(Navigation.Extent(root: true, presented: 0, modals: 0)) }
    end(
      openScreens.map(\.id).reversed().filter {
        navigation.stack(of: $0) == nil && navigation.modal(of: $0) == nil
      })
    for screen in saved { connectReceivers(of: screen) }
    for node in restored { node.appearAgain() }
    return true
  }

  private func restoreScreen(_ state: JSON) {
    guard let route = Route(state: state),
      let id = state["id"]?.string.flatMap({ ScreenID($0) }), id != .app, screens[id] == nil
    else { return }
    do { _ = try make(route, as: id, from: state) } catch {
      logLeftOut("the screen \"\(route.kind)\"", error)
    }
  }

  /// Arranges the tabs as the app declares them now, and creates the roots that are missing.
  /// - Returns: False if a stack has no root.
  private func fillTabs(of navigation: inout Navigation, titles: JSON?) -> Bool {
    var tabs: [Tab] = []
    var roots: [String?: Route] = [:]
    switch app.root {
    case .stack(let route): roots[nil] = route
    case .tabs(let declared):
      tabs = declared
      for tab in tabs { roots[tab.id] = tab.route }
    }
    navigation.arrange(tabs.map { .tab(id: $0.id, icon: $0.icon) })
    for index in 0..<navigation.firstPresentation where navigation.stacks[index].screens.isEmpty {
      guard let route = roots[navigation.stacks[index].tab], let node = try? make(route) else {
        return false
      }
      navigation.fill(index, with: node.id)
    }
    for id in navigation.stacks.compactMap(\.tab) {
      let title = tabs.first { $0.id == id }?.title
      let saved = titles?[id]?.string ?? id
      tabLabels[id, default: TabLabel()].title = title ?? LocalizedText { _ in saved }
    }
    return true
  }

  private func connectReceivers(of state: JSON) {
    guard let node = state["id"]?.string.flatMap({ ScreenID($0) }).flatMap({ screens[$0] })
    else { return }
    for receiver in state["deliverTo"]?.array ?? [] {
      guard let screen = receiver["screen"]?.string.flatMap({ ScreenID($0) }),
        let path = receiver["input"]?.string,
        let receiver = screens[screen]?.receiver(at: path.utf8[...])
      else { continue }
      node.deliverOutcome(to: receiver.input, of: receiver.of)
    }
  }

  /// Notes that something is not as before the restart.
  func logLeftOut(_ what: String, _ error: any Error) {
    onLog(
      LogRecord(level: .warning, message: "\(what) has not come back after the restart: \(error)"))
  }

  func nextReceipt() -> Int {
    lastReceipt += 1
    return lastReceipt
  }
}

extension Duration {
  /// The whole microseconds, which a JSON number holds exactly for any date.
  fileprivate var microseconds: Int {
    Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
  }
}

extension DisplaySettings {
  fileprivate init(state: JSON) {
    self.init()
    language = state["language"]?.string.flatMap { LanguageTag($0) }
    appearance = state["appearance"]?.string.flatMap { Appearance(rawValue: $0) }
  }

  fileprivate var state: JSON {
    var state = JSONObject()
    if let language { state["language"] = .string(language.description) }
    if let appearance { state["appearance"] = .string(appearance.rawValue) }
    return .object(state)
  }
}

#if DEBUG
  extension ScreenNode {
    /// Reports an input that has no name, so that a restart loses what it waits for.
    func checkName(
      of input: Port, _ shown: ScreenNode, _ fileID: StaticString, _ line: UInt
    ) {
      guard let part, input.node == nil, !properties.contains(where: { $0.value === input })
      else { return }
      let type = "\(Swift.type(of: part))"
      core.report(
        Fault(
          "\(fileID):\(line): the outcome of the screen \"\(shown.kind)\" is lost if the core restarts "
            + "while it is open. Declare the input as a property of \(type): "
            + "private let ended = \(Swift.type(of: input))()."))
    }
  }
#endif
