public import Offstage
internal import OffstageHost
internal import OffstageJSON
internal import OffstageTranscripts

/// A core for unit tests. It runs screens as in an app, on a virtual clock and without a front end.
/// ```swift
/// @Test @CoreActor func confirmNeedsBothTexts() async throws {
///   let core = TestCore()
///   let signUp = core.show { SignUp(dependency: .init(accounts: MockAccounts())) }
///   signUp.input.nameText.send("Kim")
///   #expect(signUp.output.isConfirmEnabled.value == false)
/// }
/// ```
@CoreActor
public final class TestCore {
  package let core: Core

  /// Creates a core.
  /// - Parameters:
  ///   - app: The app with the screens that the router can show.
  ///   - capabilities: The supported kinds of prompts, besides alerts and confirmations.
  public convenience init(
    _ app: App = App(root: .tabs([]), screens: []), capabilities: Set<String> = []
  ) {
    self.init(app, capabilities) { try $0.startScope() }
  }

  /// Creates a core that starts from what another build of the app has left, to test
  /// ``Screen/migrate(_:from:)``.
  /// - Parameters:
  ///   - state: The text of its `state.json`.
  ///   - capabilities: The supported kinds of prompts, besides alerts and confirmations.
  /// - Throws: An error if the text is something else.
  public convenience init(
    _ app: App, startingFrom state: String, capabilities: Set<String> = []
  ) throws {
    guard let state = try JSON(parsing: state)["state"],
      let version = state["build"]?["version"]?.string
    else { throw TestError(description: "the text is not that of a state.json") }
    self.init(app, capabilities) { core in
      core.frontEndLocale = UserLocale(state: state, orElse: core.frontEndLocale)
      try core.start(from: state, of: version)
    }
  }

  private init(
    _ app: App, _ capabilities: Set<String>, _ start: (Core) throws -> Void
  ) {
    core = Core(app: app, clock: CoreClock(virtualFrom: CoreClock.deterministicStart))
    core.supportedPrompts = capabilities
    core.onTurnEnd = { [weak self] in self?.turnEnded() }
    core.onFault = { [weak self] in self?.faults.append($0.description) }
    core.onLog = { [weak self] in self?.log.append("\($0.level): \($0.message)") }
    do {
      _ = try app.describe(SchemaCatalog(labels: nil))
      try start(core)
    } catch { faults.append("\(error)") }
  }

  /// Ends this core as if its process had been killed, and returns one that starts where it was: the
  /// same screens, with what they had kept. Screens that ``show(_:)`` has created do not come back,
  /// since they have no route.
  /// ```swift
  /// core.screen(SignUp.self)?.input.nameText.send("Kim")
  /// let restarted = core.restarted()
  /// #expect(restarted.screen(SignUp.self)?.input.nameText.value == "Kim")
  /// ```
  public func restarted() -> TestCore {
    let state = core.state()
    core.abandon()
    return TestCore(core.app, core.supportedPrompts) { [locale = core.frontEndLocale] new in
      new.frontEndLocale = locale
      // As after a write and a read of the value.
      try new.start(from: JSON(parsing: state.description))
    }
  }

  /// The virtual clock. It starts at 2026-01-01T00:00:00Z; ``advance(by:)`` moves it.
  public var clock: CoreClock { core.clock }

  /// The language and time zone of the user; English and UTC unless set.
  /// ```swift
  /// core.locale = UserLocale(language: "ko", timeZone: "Asia/Seoul")
  /// ```
  public var locale: UserLocale {
    get { core.userLocale }
    set { core.frontEndLocale = newValue }
  }

  /// The lines that the app has logged, each with its level: `error: cannot open the file`.
  public private(set) var log: [String] = []

  /// The errors that no effect caught, and mistakes in the declarations of screens. Expect none.
  public private(set) var faults: [String] = []

  /// Creates a screen and shows it alone. A part is shown as if it were a screen.
  public func show<P: Part>(_ make: () throws -> P) rethrows -> P {
    do {
      _ = try ScreenDescription(
        P.self, named: "\(P.self)", P.designation, SchemaCatalog(labels: nil))
    } catch { faults.append("\(error)") }
    let node = try core.mount((P.self as? any Screen.Type)?.kind ?? "\(P.self)", make)
    core.show(node)
    return node.part as! P
  }

  /// Shows the app's root.
  public func start() throws { try core.start() }

  /// The kinds of the open screens, oldest first.
  public var kinds: [String] { core.openScreens.map(\.kind) }

  /// Returns the open screens of a type, oldest first.
  public func screens<S: Screen>(_ type: S.Type) -> [S] {
    core.openScreens.compactMap { $0.part as? S }
  }

  /// Returns the newest open screen of a type.
  public func screen<S: Screen>(_ type: S.Type) -> S? { screens(type).last }

  /// Returns the app's scope if it has this type.
  public func scope<S: Scope>(_ type: S.Type) -> S? { core.scope?.part as? S }

  /// Closes all screens, and ends the app's scope.
  public func closeAll() { core.end() }

  /// Waits until nothing more will happen before the user, the device, or the clock acts, and until
  /// canceled work has cleaned up. If a test double holds back its response, use ``run()``.
  ///
  /// If the test is canceled, for example by its time limit, this returns, and ``faults`` names the
  /// effects it was waiting for.
  public func settle() async {
    while !isSettled {
      guard !Task.isCancelled else { return faults.append(waitedFor) }
      await withTaskCancellationHandler {
        // Check again inside: other jobs may run before the continuation exists.
        await withCheckedContinuation { continuation in
          if isSettled || Task.isCancelled {
            continuation.resume()
          } else {
            if waiting.isEmpty { CoreActor.executor.add(self) }
            waiting.append(continuation)
          }
        }
      } onCancel: {
        Task { await self.resumeWaiting() }
      }
    }
  }

  private var isSettled: Bool { core.isSettled && core.work.hasCleanedUp }

  private var waitedFor: String {
    "settle() was canceled while it waited for the effects \(core.busyWork)"
  }

  /// Runs due work, up to 50 steps of each task, but does not wait for work that a test double
  /// holds back.
  public func run() async {
    // Don't wait until the queue is empty: tests that run in parallel share it.
    for _ in 0..<50 { await Task.yield() }
  }

  /// Advances the clock. Timers that become due fire in order, and each settles before the next one
  /// fires. If a test double holds back its response, pass `settling: false` to only run due work
  /// in between.
  public func advance(by duration: Duration, settling isSettling: Bool = true) async {
    func rest() async { if isSettling { await settle() } else { await run() } }
    let target = core.clock.time(after: duration)
    await rest()
    while core.clock.fireNext(dueBy: target) { await rest() }
    core.clock.move(to: target)
  }

  /// The numbers of live screens, effects, and timers.
  public var liveCounts: (screens: Int, effects: Int, timers: Int) {
    (core.openScreens.count, core.liveEffectCount, core.clock.timerCount)
  }

  /// nil unless a test records frames.
  private var recorder: Publisher?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private func turnEnded() {
    if let recorder { recorder.publish() } else { core.publish { _ in } }
    if isSettled { resumeWaiting() }
  }

  private func resumeWaiting() {
    let resumed = waiting
    waiting = []
    CoreActor.executor.remove(self)
    for continuation in resumed { continuation.resume() }
  }
}

extension TestCore: Served {
  /// Resumes `settle()` if the last job has ended no turn.
  package func handleNext() -> Bool {
    guard isSettled else { return false }
    resumeWaiting()
    return true
  }

  package func addWaits(to waits: inout Waits) {}
}

extension UserLocale {
  /// Creates a locale whose time zone has a name such as `Asia/Seoul` or an offset such as `+09:00`, for
  /// tests.
  /// - Precondition: The time zone database of this machine contains the zone.
  public init(language: LanguageTag = "en", timeZone id: String) {
    guard let zone = ZoneRules.named(id) else {
      fatalError("the time zone database of this machine has no zone \"\(id)\"")
    }
    self.init(language: language, zone: zone)
  }
}

extension Core {
  var busyWork: String {
    pendingWork.filter(\.isBusy).map { "\"\($0.name)\" of screen \($0.screen)" }
      .joined(separator: ", ")
  }
}

extension TestCore {
  /// The whole document as JSON text, as a front end sees it.
  public var document: String { currentDocument.description }

  private var currentDocument: JSON {
    // Publish first: a part of the document that is read counts as published.
    recorder?.publish()
    defer { if recorder == nil { core.unpublish() } }
    return core.document
  }

  /// Compares the document, or its part at a JSON Pointer, with an expected value. `"$_"` matches
  /// any value, and `"$name"` any value that stays the same.
  /// ```swift
  /// #expect(core.differences(from: #"[{"id":1,"title":"Emma"}]"#, at: "/screens/1/output/books") == [])
  /// ```
  /// - Returns: One line for each difference, or for the mistake in `expected` or `path`; empty if
  ///   there are none.
  // Does not throw, since a failing `#expect` prints a call's value only without a `try`.
  public func differences(from expected: String, at path: String = "") -> [String] {
    do {
      let found = try JSONPointer.tokens(of: path).reduce(currentDocument as JSON?) {
        $0?.child($1)
      }
      guard let found else { return ["at \(path): expected \(expected), found nothing"] }
      return try PatternMatch.differences(from: expected, in: found).map {
        "at \(path)\($0.dropFirst("at ".count))"
      }
    } catch let error as JSONPatchError {
      return ["invalid path: \(error)"]
    } catch {
      return ["invalid JSON in the expected value: \(error)"]
    }
  }

  /// Records the frames that a front end gets while `actions` runs, as the JSON text of their
  /// params: `{"revision":2,"patch":[…]}`. Revisions count from 2, since frame 1 is the document
  /// before.
  /// ```swift
  /// let frames = await core.frames {
  ///   search.input.queryText.send("ma")
  ///   await core.advance(by: .milliseconds(300))
  /// }
  /// ```
  public func frames(during actions: () async throws -> Void) async rethrows -> [String] {
    let recorder = Publisher(core)
    recorder.start()
    _ = recorder.takeLines()
    self.recorder = recorder
    defer {
      self.recorder = nil
      core.unpublish()
    }
    try await actions()
    recorder.publish()
    return recorder.takeLines().map { "\(JSON(encoded: Array($0.utf8))["params"] ?? .null)" }
  }
}
