import OffstageTesting
import TestSupport
import Testing

@testable import Offstage

/// A user and an app that take random steps through the navigation.
@CoreActor
final class RandomWalk {
  let core = TestCore(Pages.app(links: [Link("page://:name") { RandomWalk.routes($0) }]))
  private var random: SplitMix64
  private var weak: [Weak<AnyObject>] = []
  private var readFaults = 0
  private var lastScreen = 0
  /// The screens that were shown, with the number of results delivered for each.
  private var received: [(screen: ScreenID, count: Int)] = []
  /// The indices of the screens that were open at the last check.
  private var open: Set<Int> = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    try core.start()
    noteNewScreens()
  }

  /// Takes one step.
  /// - Returns: A description of the step.
  func act() -> String {
    let page = core.core.screens.values.sorted { $0.id.number < $1.id.number }
      .randomElement(using: &random)!
    let id = page.id
    guard let screen = page.part as? any AnyPage else { return "no page" }
    let grows = core.core.screens.count < 25
    let action: String
    switch Int.random(in: 0..<(grows ? 30 : 60), using: &random) {
    case 0..<10:
      // Most of the time from the visible screen: a covered one shows nothing.
      let visible = core.core.navigation.visibleScreen.flatMap { core.core.screens[$0] } ?? page
      let presenter = Int.random(in: 0..<4, using: &random) == 0 ? page : visible
      action = show(from: presenter.part as! any AnyPage, presenter.id)
    case 10..<14:
      screen.work()
      action = "work on \(id)"
    case 14:
      action = "select \(core.core.selectTab(Bool.random(using: &random) ? "red" : "green") != nil)"
    case 15:
      _ = try? core.core.open("page://\(Bool.random(using: &random) ? "blue" : "nowhere")")
      action = "open"
    case 16 where Int.random(in: 0..<20, using: &random) == 0:
      try? core.core.setRoot(core.core.app.root)
      action = "set the root"
    case 17: action = "popTo \(id) \(core.core.popTo(id) != nil)"
    case 18:
      screen.router.popToSelf()
      action = "popToSelf \(id)"
    case 19..<22: action = "back \(core.back())"
    case 22..<26:
      screen.finish(with: id.number)
      action = "finish \(id)"
    case 26..<28 where core.core.navigation.canClose(id):
      screen.router.close()
      action = "close \(id)"
    case 28..<32: action = "dismiss \(id) \(core.core.dismiss(id) != nil)"
    default: action = "back \(core.back())"
    }
    noteNewScreens()
    return action
  }

  private func show(from screen: any AnyPage, _ id: ScreenID) -> String {
    let kind = Pages.kinds.randomElement(using: &random)!
    let way = PageWay.allCases.randomElement(using: &random)!
    let before = Set(core.core.screens.keys)
    let shown = kind.shown(by: screen.router, way)
    let new = Set(core.core.screens.keys).subtracting(before).first
    if let new { listen(to: shown, new, screen.input.result) }
    return "\(way) \(new?.description ?? "-") from \(id)"
  }

  private func listen(to shown: PresentedScreen<Int>, _ id: ScreenID, _ presenter: In<Int?>) {
    let index = received.count
    open.insert(index)
    received.append((id, 0))
    let ear = In<Int?>()
    ear.observe { result in
      self.received[index].count += 1
      #expect(result == id.number || result == nil)
    }
    shown.deliver(to: ear)
    shown.deliver(to: presenter)
  }

  private func noteNewScreens() {
    for (id, node) in core.core.screens where id.number > lastScreen {
      weak.append(Weak(node.part!))
      weak.append(Weak(node))
    }
    let newest = core.core.screens.keys.map(\.number).max() ?? 0
    #expect(newest >= lastScreen || core.core.screens.count > 0)
    lastScreen = max(lastScreen, newest)
  }

  // MARK: What must hold

  /// Returns the invariants that do not hold after the newest step.
  func problems() -> [String] {
    let navigation = core.core.navigation
    var shown: [ScreenID] = []
    var problems: [String] = []
    for stack in navigation.stacks {
      if stack.screens.isEmpty { problems.append("\(stack.kind) is empty") }
      shown += stack.screens
    }
    shown += navigation.modals.map(\.screen)
    if Set(shown).count != shown.count { problems.append("a screen stands there twice") }
    if Set(shown) != Set(core.core.screens.keys) { problems.append("shown is not what there is") }
    for modal in navigation.modals where core.core.screens[modal.owner] == nil {
      problems.append("\(modal.id) has outlived its owner")
    }
    for stack in navigation.stacks {
      if let owner = stack.owner, core.core.screens[owner] == nil {
        problems.append("\(stack.presentation!) has outlived its owner")
      }
    }
    for prompt in core.core.prompts where core.core.screens[prompt.screen] == nil {
      problems.append("\(prompt.id) has outlived its screen")
    }
    for index in open {
      let (screen, count) = received[index]
      let isOpen = core.core.screens[screen] != nil
      if count != (isOpen ? 0 : 1) {
        problems.append("the end of \(screen) was sent \(count) times")
      }
      if !isOpen { open.remove(index) }
    }
    let faults = core.faults.dropFirst(readFaults)
    readFaults = core.faults.count
    // The walk closes roots.
    return problems + faults.filter { !$0.contains("is the root of its stack") }
  }

  var livePages: Int { weak.count { $0.object != nil } }
  var endings: Int { received.count }
  var unheardEndings: Int { received.count { $0.count != 1 } }

  private static func routes(_ match: Link.Match) -> [Route]? {
    switch match["name"] {
    case "blue": [Route(Page<Blue>.self), Route(Page<Red>.self)]
    default: [Route(Page<Blue>.self), Route(kind: "nowhere")]
    }
  }
}
