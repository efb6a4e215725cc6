import Foundation
import Observation
import OffstageClient
import Testing

/// The client against the reference app, over each transport.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct CoreTests {
  enum Way: CaseIterable { case process, descriptors, embedded }

  private func core(
    _ root: String, over way: Way = .embedded, options: Options = Options()
  ) async throws -> RemoteCore {
    let core = RemoteCore(options: options) {
      switch way {
      case .process: try Showcase.process("--root", root)
      case .descriptors: try await Showcase.descriptors("--root", root)
      case .embedded: try await Showcase.embedded("--root", root)
      }
    }
    try await core.start()
    return core
  }

  @Test(arguments: Way.allCases)
  func formIsFilledInAndSent(over way: Way) async throws {
    let core = try await core("signUp", over: way)
    let form = try await core.wait(for: SignUpScreen.self)
    #expect(form.output?.isConfirmEnabled == false)
    #expect(core.handshake?.app.name == "showcase")

    form.nameText.value = "Kim"
    form.emailText.value = "kim@example.com"
    #expect(form.nameText.value == "Kim")
    #expect(form.nameText.isPending)
    try await core.until { form.output?.isConfirmEnabled == true }
    try await core.settle()
    #expect(!form.nameText.isPending)

    var accounts = form.finished.makeAsyncIterator()
    #expect(form.confirm.isEnabled)
    try await form.screen.input("confirm", settle: true)
    #expect(await accounts.next()?.name == "Kim")

    let (revision, state) = try await core.snapshot()
    #expect(core.document.revision == revision)
    #expect(core.document.value == state)
    await core.close()
    #expect(core.ended?.reason == .closed)
    await #expect(throws: CoreEnded.self) { try await core.settle() }
  }

  @Test func screensGetTheirLifecycleInputs() async throws {
    let core = try await core("pokedex")
    let pokedex = try await core.wait(for: PokedexScreen.self)
    try await core.settle()
    let rows = try #require(pokedex.output?.pokemon)
    #expect(!rows.isEmpty)

    pokedex.screen.showedEnd(of: "pokemon")
    pokedex.screen.showedEnd(of: "pokemon")
    try await core.settle()
    #expect(try #require(pokedex.output?.pokemon.count) > rows.count)
    await core.close()
  }

  @Test func refusalsAreTyped() async throws {
    let core = try await core("signUp")
    let form = try await core.wait(for: SignUpScreen.self).screen
    let wrongType = await #expect(throws: Refusal.self) { try await form.input("nameText", 5) }
    #expect(wrongType?.code == .invalidParams)
    #expect(wrongType?.data["path"] == "/value")
    #expect(wrongType?.data["expected"] == "string")
    #expect(wrongType?.data["found"] == "number")
    let wrongName = await #expect(throws: Refusal.self) { try await form.input("naem") }
    #expect(wrongName?.code == .unknownInput)
    #expect(wrongName?.data["inputs"].array?.contains("nameText") == true)
    let wrongScreen = await #expect(throws: Refusal.self) {
      try await core.request("input", ["screen": "99", "name": "x"])
    }
    #expect(wrongScreen?.code == .unknownScreen)
    await #expect(throws: Refusal.self) { try await core.back() }
    let deep = (0..<600).reduce(Value([])) { value, _ in Value([value]) }
    let unreadable = await #expect(throws: Refusal.self) { try await form.input("nameText", deep) }
    #expect(unreadable?.code == .parseError)
    await core.close()
  }

  @Test func refusedWriteIsTakenBack() async throws {
    let core = try await core("signUp")
    let field = try await core.wait(for: SignUpScreen.self).screen.field("nameText")
    field.text = "Kim"
    try await core.settle()
    field.value = 5
    #expect(field.value == 5)
    try await core.settle()
    #expect(field.value == "Kim")
    #expect(core.problem?.contains("-32602") == true)
    await core.close()
  }

  @Test func aFieldThatWasLeftSaysWhatIsWrongWithIt() async throws {
    let core = try await core("signUp")
    let form = try await core.wait(for: SignUpScreen.self).screen
    form.field("nameText").text = "Kim"
    form.field("emailText").check()
    try await core.settle()
    #expect(form.field("emailText").error == "Enter an email address.")
    await core.close()
  }

  @Test func canceledTaskCancelsTheRequest() async throws {
    let core = try await core("signUp")
    let early = Task { try await core.settle() }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
    try await core.settle()
    await core.close()
  }

  @Test func promptsAreAnsweredByTheirHandlers() async throws {
    var options = Options()
    var answers = PromptAnswers()
    answers.locationCurrent = { _ in Coordinate(lat: 37.5665, lng: 126.978) }
    options.handlers = answers.handlers
    let core = try await core("map", options: options)
    let map = try await core.wait(for: MapScreen.self)
    try await core.settle()
    try await map.screen.input("locateTapped", settle: true)
    try await core.until { core.document.prompts.isEmpty }
    #expect(core.document.prompts.isEmpty)
    #expect(core.problem == nil)
    await core.close()
  }

  @Test func readingAnOutputObservesThisOutputAlone() async throws {
    let core = try await core("signUp")
    let form = try await core.wait(for: SignUpScreen.self)
    let changes = Counter()
    withObservationTracking {
      _ = form.screen["isConfirmEnabled"]
    } onChange: {
      changes.add()
    }
    try await form.screen.input("nameText", "Kim")
    #expect(changes.count == 0)
    try await form.screen.input("emailText", "k@x")
    #expect(changes.count == 1)
    #expect(form.screen["isConfirmEnabled"] == true)
    await core.close()
  }

  @Test func closedScreenKeepsItsLastContent() async throws {
    let core = try await core("profile")
    try await core.settle()
    let profile = try #require(core.document.visible.first)
    try await profile.input("settingsTapped", settle: true)
    let top = try #require(core.document.visible.first)
    try #require(top !== profile)
    // The screen has appeared since, which loads it.
    try await core.settle()
    let outputs = top.outputs
    try await core.dismiss(screen: top.id)
    #expect(!top.isOpen)
    #expect(top.outputs == outputs)
    await core.close()
  }

  @Test func killedCoreIsStartedAgain() async throws {
    let transports = Transports()
    let core = RemoteCore {
      let transport = try Showcase.process("--root", "signUp")
      transports.last = transport
      return transport
    }
    try await core.start()
    let form = try await core.wait(for: SignUpScreen.self)
    form.nameText.value = "Kim"
    try await core.settle()
    kill(try #require(transports.last).processID, SIGKILL)
    await #expect(throws: CoreEnded.self) { try await core.until { false } }
    #expect(core.ended?.reason == .killed(signal: 9))
    #expect(form.nameText.value == "Kim")
    #expect(try await core.restart() == false)
    #expect(core.ended == nil)
    let again = try await core.wait(for: SignUpScreen.self)
    #expect(again.nameText.value == nil)
    await core.close()
  }

  /// Ends a core that keeps its state.
  private static let stop = SIGKILL

  @Test func restartedCoreGoesOnWithTheSession() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let transports = Transports()
    let core = RemoteCore {
      let transport = try Showcase.process("--root", "signUp", "--state", folder)
      transports.last = transport
      return transport
    }
    try await core.start()
    let form = try await core.wait(for: SignUpScreen.self)
    form.nameText.value = "Kim"
    try await core.settle()
    var frames = core.frames().makeAsyncIterator()
    kill(try #require(transports.last).processID, Self.stop)
    await #expect(throws: CoreEnded.self) { try await core.until { false } }
    #expect(try await core.restart())
    form.emailText.value = "kim@example.com"
    try await core.settle()
    #expect(form.nameText.value == "Kim")
    #expect(form.emailText.value == "kim@example.com")
    #expect(!form.emailText.isPending)
    #expect(await frames.next() != nil)
    await core.close()
  }

  @Test func restartDuringAStartDoesNothing() async throws {
    let counter = Counter()
    let core = RemoteCore {
      counter.add()
      return try await Showcase.embedded("--root", "signUp")
    }
    async let first = core.restart()
    async let second = core.restart()
    _ = try await (first, second)
    try await core.settle()
    #expect(counter.count == 1)
    await core.close()
  }

  @Test func startDuringAStartStopsTheProgram() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let core = RemoteCore {
        try await Task.sleep(for: .seconds(60))
        throw CoreEnded(.closed)
      }
      async let first: Void = core.start()
      async let second: Void = core.start()
      _ = try? await (first, second)
    }
  }

  @Test func missingProgramIsAnError() async {
    let core = RemoteCore { try ProcessTransport("/no/such/program") }
    let error = await #expect(throws: CoreEnded.self) { try await core.start() }
    #expect(error?.description.contains("/no/such/program") == true)
  }

  @Test func releasedCoreEndsItsProcess() async throws {
    var core: RemoteCore? = try await core("signUp", over: .process)
    let released = Released(core)
    try await core?.settle()
    core = nil
    #expect(released.core == nil)
  }
}

@MainActor
private final class Released {
  private(set) weak var core: RemoteCore?
  init(_ core: RemoteCore?) { self.core = core }
}

/// Counts changes, which may be reported on any thread.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  var count: Int { lock.withLock { value } }

  func add() { lock.withLock { value += 1 } }
}

/// The transport that was opened last.
final class Transports: @unchecked Sendable {
  private let lock = NSLock()
  private var transport: ProcessTransport?

  var last: ProcessTransport? {
    get { lock.withLock { transport } }
    set { lock.withLock { transport = newValue } }
  }
}
