package import OffstageJSON

/// The state of a core as one JSON value, from which another core starts as if nothing had happened.
///
/// A screen is created from its route, as always. The state adds what it had kept, by name: the
/// content of its fields, outputs, and values, and the same for its parts. What it computes or loads
/// comes from its `init` and from `didAppear`, which the core sends to what was on display.
extension Core {
  /// Returns everything that a start needs.
  package func state() -> JSON { state(members) }

  /// - Parameter members: Everything but the screens and the scope, as `members` is now.
  func state(_ members: JSONObject) -> JSON {
    var state = members
    state["screens"] = .object(
      JSONObject(
        openScreens.compactMap { node in
          self.state(of: node).map { (key: node.id.description, value: $0) }
        }))
    if let scope { state["app"] = .object(scope.state) }
    return .object(state)
  }

  /// The time of a virtual clock, which goes on from there.
  var time: JSON? { clock.isVirtual ? .int(clock.now.microseconds) : nil }

  /// Everything but the screens and the app's scope.
  var members: JSONObject {
    var state: JSONObject = [
      "language": .string(frontEndLocale.language.description),
      "timeZone": .string(frontEndLocale.timeZone),
      "display": JSON(encoding: display), "lastScreen": .int(lastScreen),
      "lastPrompt": .int(lastPrompt),
      "navigation": JSON(encoding: navigation),
      "tabs": .object(
        JSONObject(
          navigation.stacks.compactMap(\.tab).map { id in
            (key: id, value: .string(tabLabels[id]?.title(userLocale.language) ?? ""))
          })),
      "queue": .array(
        enqueued.map { route, style in
          var queued = route.state
          queued["segue"] = JSON(encoding: style)
          return .object(queued)
        }),
    ]
    if let time { state["time"] = time }
    if !prompts.isEmpty { state["prompts"] = .array(prompts.map(\.state)) }
    if let waitingLink { state["link"] = .string(waitingLink.url) }
    return state
  }

  /// nil for the screen of a test, which has no route.
  func state(of node: ScreenNode) -> JSON? {
    guard node.id != .app else { return .object(node.state) }
    guard let route = node.route else { return nil }
    var state = route.state
    for (name, value) in node.state.members { state[name] = value }
    let receivers: [JSON] = node.receivers.compactMap { port in
      port.node.map {
        ["screen": .string($0.id.description), "input": .string($0.fullName(port.name))]
      }
    }
    if !receivers.isEmpty { state["deliverTo"] = .array(receivers) }
    if let url = node.url { state["url"] = .string(url) }
    return .object(state)
  }

  // MARK: The start

  /// Shows what the core with this state showed. What cannot come back is left out, with a line in
  /// the log; if no screen can, shows the app's root.
  /// - Parameters:
  ///   - version: The version of the other build that has left the state; nil for this build.
  ///   - isStillShown: True if the front end goes on showing the screens, so that it sends no
  ///     `didAppear` for them.
  /// - Throws: `NavigationError`, or what a factory throws. Nothing is shown then.
  package func start(
    from state: JSON, of version: String? = nil, isStillShown: Bool = true
  ) throws {
    self.isStillShown = isStillShown
    cause?.isForDisplay = true
    if let time = state["time"]?.int { clock.move(to: .microseconds(time)) }
    display = (try? state["display"]?.decode(DisplaySettings.self)) ?? DisplaySettings()
    lastPrompt = state["lastPrompt"]?.int ?? 0
    lostPrompts = state["prompts"]?.array ?? []
    try startScope(from: readScope(state["app"] ?? [:], from: version))
    // The scope may show screens, over those that have come back.
    defer { scope?.goOn() }
    guard let restored = restoreScreens(from: state, of: version) else { return try start() }
    for queued in state["queue"]?.array ?? [] { restoreQueued(queued, of: version) }
    if let url = state["link"]?.string, let link = app.links.first(where: { $0.match(url) != nil })
    {
      waitingLink = WaitingLink(link: link, url: url, cause: nil)
    }
    // The keys of requests are those of the session, and another build has migrated the state.
    if isStillShown, version == nil, isAsBefore(state) { noteIsSaved() }
    for node in restored { node.goOn() }
  }

  /// True if the locale is that of a state, and all of its screens have come back.
  private func isAsBefore(_ state: JSON) -> Bool {
    state["timeZone"]?.string == frontEndLocale.timeZone
      && state["language"]?.string == frontEndLocale.language.description
      && state["screens"]?.object?.members.map(\.key) == openScreens.map(\.id.description)
  }

  /// - Returns: The screens that were restored; nil if they cannot be shown.
  private func restoreScreens(from state: JSON, of version: String?) -> [ScreenNode]? {
    guard var navigation = try? state["navigation"]?.decode(Navigation.self), navigation.isValid
    else { return nil }
    lastScreen = max(lastScreen, state["lastScreen"]?.int ?? 0)
    let saved = (state["screens"]?.object?.members ?? []).compactMap { member in
      ScreenID(member.key).map { (id: $0, state: member.value) }
    }
    for screen in saved { restoreScreen(screen.id, screen.state, of: version) }
    let restored = openScreens
    navigation.leaveOut { screens[$0] == nil }
    guard fillTabs(of: &navigation, titles: state["tabs"]) else {
      end(restored.map(\.id).reversed())
      return nil
    }
    self.navigation = navigation
    for node in openScreens { node.url = url(of: node) ?? savedURL(of: node) }
    change { $0.navigation.formUnion(Navigation.Extent(root: true, presented: 0, modals: 0)) }
    end(
      openScreens.map(\.id).reversed().filter {
        navigation.stack(of: $0) == nil && navigation.modal(of: $0) == nil
      })
    for screen in saved { screens[screen.id].map { connectReceivers(of: $0, screen.state) } }
    return restored
  }

  /// The URL before the restart. What a link leads to may depend on what is still being loaded, such as
  /// the account.
  private func savedURL(of node: ScreenNode) -> String? {
    guard let url = node.saved?.json["url"]?.string else { return nil }
    return app.links.contains { $0.match(url) != nil } ? url : nil
  }

  private func restoreScreen(_ id: ScreenID, _ state: JSON, of version: String?) {
    guard id != .app, screens[id] == nil else { return }
    orLeaveOut(state) {
      guard let screen = try read(state, from: version) else { return }
      _ = try make(screen.route, as: id, from: screen.state)
    }
  }

  private func restoreQueued(_ state: JSON, of version: String?) {
    orLeaveOut(state) {
      guard let screen = try read(state, from: version) else { return }
      enqueued.append((screen.route, try state["segue"]?.decode(PresentationStyle?.self)))
    }
  }

  private func orLeaveOut(_ state: JSON, _ restore: () throws -> Void) {
    do { try restore() } catch {
      logLeftOut("the screen \"\(state["kind"]?.string ?? "")\"", error)
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

  private func connectReceivers(of node: ScreenNode, _ state: JSON) {
    for receiver in state["deliverTo"]?.array ?? [] {
      guard let id = receiver["screen"]?.string.flatMap({ ScreenID($0) }),
        let path = receiver["input"]?.string, let screen = screens[id]
      else { continue }
      if let found = screen.receiver(at: path.utf8[...]) {
        node.deliverResult(to: found.input, of: found.of)
      } else {
        logLeftOut(
          "the delivery of the result of \"\(node.kind)\"",
          "\"\(screen.kind)\" has no input \"\(path)\" for it")
      }
    }
  }

  /// Notes that something is not as before the restart.
  func logLeftOut(_ what: String, _ reason: Any) {
    onLog(
      LogRecord(level: .warning, message: "\(what) has not come back after the restart: \(reason)"))
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
