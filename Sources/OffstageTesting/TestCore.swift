public import Offstage

/// A core for unit tests: screens run in it as in an app, on a virtual clock, and nobody watches.
/// ```swift
/// @Test @CoreActor func bothAreNeeded() async throws {
///   let core = TestCore()
///   let signUp = try core.show { SignUp(dependency: .init(accounts: MockAccounts())) }
///   signUp.input.nameText.send("Kim")
///   #expect(signUp.output.isConfirmEnabled.value == false)
/// }
/// ```
@CoreActor
public final class TestCore {
  package let core: Core

  /// - Parameter app: whose screens the router may show; none by default.
  /// - Parameter capabilities: the prompt kinds that can be asked.
  public init(
    _ app: App = App(root: .tabs([]), screens: []), capabilities: Set<String> = []
  ) {
    core = Core(app: app, clock: CoreClock(virtualFrom: .seconds(1_767_225_600)))
    core.capabilities = capabilities
    core.onTurnEnd = { [weak self] in self?.turnEnded() }
    core.onFault = { [weak self] in self?.faults.append($0.description) }
  }

  /// What went wrong with nobody to catch it.
  public private(set) var faults: [String] = []

  /// Makes a screen and shows it alone.
  public func show<S: Screen>(_ make: () throws -> S) rethrows -> S {
    let node = try core.mount(S.kind, make)
    core.show(node)
    return node.screen as! S
  }

  /// Shows the app's root.
  public func start() throws { try core.start() }

  /// The kinds of the screens that are there, the oldest first.
  public var kinds: [String] {
    core.screens.values.sorted { $0.id.number < $1.id.number }.map(\.kind)
  }

  /// The screens of a type, the oldest first.
  public func screens<S: Screen>(_ type: S.Type) -> [S] {
    core.screens.values.sorted { $0.id.number < $1.id.number }.compactMap { $0.screen as? S }
  }

  /// The newest screen of a type.
  public func screen<S: Screen>(_ type: S.Type) -> S? { screens(type).last }

  /// Opens a URL, as the person follows a link.
  /// - Throws: an error for a URL that leads nowhere.
  public func open(_ url: String) throws { try core.open(url) }

  /// One step back, as the person takes it.
  /// - Returns: false at the root.
  @discardableResult
  public func back() -> Bool { core.back() }

  /// Closes everything.
  public func closeAll() { core.closeAll() }

  /// Waits until nothing more will happen until a person, a device or the clock acts.
  public func settle() async {
    while !core.isSettled {
      // Asked again inside: a test's task prefers no executor, so others may run before the wait.
      await withCheckedContinuation { continuation in
        if core.isSettled { continuation.resume() } else { waiting.append(continuation) }
      }
    }
  }

  /// Lets time pass: timers that fall due fire in order, each followed by all that it leads to.
  public func advance(by duration: Duration) async {
    let target = core.clock.now + duration
    await settle()
    while core.clock.fireNext(dueBy: target) { await settle() }
    core.clock.move(to: target)
  }

  /// How many screens, effects and timers are alive.
  public var liveCounts: (screens: Int, effects: Int, timers: Int) {
    (core.screens.count, core.liveEffectCount, core.clock.timerCount)
  }

  private var waiting: [CheckedContinuation<Void, Never>] = []

  private func turnEnded() {
    core.publish { _ in }
    guard core.isSettled else { return }
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }
}
