import Foundation
import OffstageJSON
import TestSupport

/// Has two processes on one data directory sign in and out, and write and delete, at the same time.
/// Whatever they show must have been written by a process that showed the same account.
///
/// The checker knows only the wire: what it has sent, and the account in the document then.
struct AccountFuzzer {
  let program: String

  /// - Parameter first: the seed of the first session. Later sessions count up from it.
  /// - Returns: true if every session passed.
  func run(for duration: Duration, seed first: UInt64) throws -> Bool {
    let end = ContinuousClock.now + duration
    var (sessions, total) = (UInt64(0), AccountLedger.Figures())
    defer { print("\(sessions) sessions, \(total)") }
    while ContinuousClock.now < end {
      let seed = first &+ sessions
      sessions += 1
      let ledger = AccountLedger()
      do { try session(ledger, seed: seed) } catch {
        total += ledger.figures
        print(
          "FAILED with seed \(seed): \(error)\n\(ledger.journal.suffix(40).joined(separator: "\n"))"
        )
        return false
      }
      total += ledger.figures
    }
    return true
  }

  private func session(_ ledger: AccountLedger, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "offstage-accounts-\(getpid())-\(seed)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var users = try (0..<2).map { _ in try user(directory, ledger) }
    for round in 0..<24 {
      ledger.beginRound()
      for user in users { try user.clearScreen() }
      var turns = users.map { $0.steps(of: .random(round, &random), &random)[...] }
      while turns.contains(where: { !$0.isEmpty }) {
        // Both at once.
        for index in users.indices { try users[index].begin(turns[index].popFirst()) }
        for user in users { try user.finish() }
      }
      // Sometimes the next round overlaps with what is still under way.
      if Bool.random(using: &random) { for user in users { try user.settle() } }
      if Int.random(in: 0..<8, using: &random) == 0 {
        try users[1].end()
        users[1] = try user(directory, ledger)
      }
    }
    for user in users {
      try user.clearScreen()
      try user.end()
    }
    let auditor = try user(directory, ledger)
    try ledger.audit(auditor, &random)
    try auditor.end()
  }

  private func user(_ directory: String, _ ledger: AccountLedger) throws -> AccountUser {
    try AccountUser(
      CoreSession(
        program, arguments: ["--data", directory], isDeterministic: false,
        capabilities: ["notifications.authorize", "notifications.status", "notifications.schedule"]),
      ledger)
  }
}

/// A front end of one of the processes.
final class AccountUser {
  /// Actions of the user that take several steps.
  enum Action {
    case signUp(String)
    case signOut, deleteAccount
    case send, stop, retry, clear, deleteChat, undo
    case createAvatar, bookmark, notifications
    case look(String)

    static func random(_ round: Int, _ random: inout SplitMix64) -> Action {
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<7: .signUp(["Kim", "Lee", "Park"].randomElement(using: &random)!)
      case 7..<13: .signOut
      case 13: .deleteAccount
      case 14..<22: .send
      case 22: .stop
      case 23: .retry
      case 24: .clear
      case 25..<27: .deleteChat
      case 27: .undo
      case 28..<33: .createAvatar
      case 33..<36: .bookmark
      case 36: .notifications
      default: .look(AccountUser.avatars.randomElement(using: &random)!)
      }
    }
  }

  /// One request, made from the document as it is then; nil to skip it.
  struct Step {
    var method = "input"
    /// The text that the step writes or types, if any.
    var text: String?
    var params: (JSON) -> JSON?
  }

  static let titles = ["jaws", "alien"]
  static let avatars = ["mina", "misty", "joon"]

  let session: CoreSession
  let ledger: AccountLedger
  private var isWaiting = false
  private var text: String?

  init(_ session: CoreSession, _ ledger: AccountLedger) throws {
    self.session = session
    self.ledger = ledger
    session.onFrame = { [unowned session] in try ledger.check(session.document) }
    try ledger.check(session.document)
  }

  // MARK: Steps

  func steps(of action: Action, _ random: inout SplitMix64) -> [Step] {
    let avatar = Self.avatars.randomElement(using: &random)!
    let title = Self.titles.randomElement(using: &random)!
    switch action {
    case .signUp(let name):
      return [
        tab("profile"), input("profile", "createAccountTapped"),
        input("createAccount", "signUpTapped"), input("signUp", "nameText", .string(name)),
        input("signUp", "emailText", .string("\(name)@x")), input("signUp", "confirm"),
      ]
    case .signOut, .deleteAccount:
      var tap = "signOutTapped"
      if case .deleteAccount = action { tap = "deleteAccountTapped" }
      return [
        tab("profile"), input("profile", "settingsTapped"), input("settings", tap),
        Step(method: "answer") { Self.answers($0).first },
      ]
    case .send:
      let text = ledger.newText("message in \(avatar)")
      return [
        open("avatars/\(avatar)"), input("chat", "messageText", .string(text), text),
        input("chat", "send", text: text),
      ]
    case .stop: return [input("chat", "stop")]
    case .retry: return [open("avatars/\(avatar)"), input("chat", "retry")]
    case .clear:
      ledger.mayDelete(avatar)
      return [
        open("avatars/\(avatar)"), input("chat", "clear"),
        Step(method: "answer") { Self.answers($0).first },
      ]
    case .deleteChat:
      ledger.mayDelete(avatar)
      return [
        tab("chats"), input("chats", "didAppear"),
        Step { document in
          let chats = Self.screen("chats", document)?.screen["output"]?["chats"]?.array ?? []
          return chats.contains { $0["id"]?.string == avatar }
            ? Self.input("chats", "deleteTapped", .string(avatar), document) : nil
        },
      ]
    case .undo: return [tab("chats"), input("chats", "undoTapped")]
    case .createAvatar:
      let text = ledger.newText("avatar")
      return [
        tab("profile"), input("profile", "createAvatarTapped"),
        input("createAvatar", "nameText", .string(text), text),
        input("createAvatar", "save", text: text),
      ]
    case .bookmark:
      return [
        tab("library"), input("library", "didAppear"),
        input("library", "bookmarkTapped", ["shelf": "films", "card": .string(title)], title),
      ]
    case .notifications:
      return [
        tab("profile"), input("profile", "settingsTapped"),
        input("settings", "notificationsSwitched", .bool(Bool.random(using: &random))),
      ]
    case .look(let avatar):
      return [
        tab("profile"), input("profile", "didAppear"), tab("chats"), input("chats", "didAppear"),
        open("avatars/\(avatar)"), input("chat", "didAppear"),
      ]
    }
  }

  private func tab(_ tab: String) -> Step {
    Step(method: "navigation/selectTab") { _ in ["tab": .string(tab)] }
  }

  private func open(_ path: String) -> Step {
    Step(method: "navigation/open") { _ in ["url": .string("showcase://\(path)")] }
  }

  private func input(
    _ kind: String, _ name: String, _ value: JSON = .null, _ text: String? = nil
  ) -> Step {
    Step(text: text) { Self.input(kind, name, value, $0) }
  }

  private func input(_ kind: String, _ name: String, text: String) -> Step {
    input(kind, name, .null, text)
  }

  private static func input(
    _ kind: String, _ name: String, _ value: JSON, _ document: JSON
  ) -> JSON? {
    screen(kind, document).map {
      ["screen": .string($0.id), "name": .string(name), "value": value]
    }
  }

  private static func screen(_ kind: String, _ document: JSON) -> (id: String, screen: JSON)? {
    document["screens"]?.members.last { $0.value["kind"]?.string == kind }
      .map { (id: $0.key, screen: $0.value) }
  }

  /// The answers to all prompts: the user confirms, and the device grants.
  private static func answers(_ document: JSON) -> [JSON] {
    (document["prompts"]?.members ?? []).map { id, prompt in
      let value: JSON =
        switch prompt["kind"]?.string {
        case "alert": ["button": "ok", "fields": [:]]
        case "confirmationDialog": ["button": "confirm", "fields": [:]]
        case "notifications.authorize": ["granted": true]
        case "notifications.status": ["status": "notDetermined"]
        default: [:]
        }
      return ["prompt": .string(id), "value": value]
    }
  }

  // MARK: The wire

  func begin(_ step: Step?) throws {
    guard let step, let params = step.params(session.document) else { return }
    session.send(step.method, params)
    try session.flush()
    (isWaiting, text) = (true, step.text)
    if let text { ledger.began(text) }
  }

  func finish() throws {
    guard isWaiting else { return }
    isWaiting = false
    var outcome = CoreSession.Outcome()
    _ = try session.response(&outcome)
    try ledger.took(outcome)
    if let text { ledger.wrote(text, in: session.document) }
  }

  func settle() throws { try ledger.took(try session.settle()) }

  /// Answers all prompts, and closes everything that is over the tabs.
  func clearScreen() throws {
    for _ in 0..<4 {
      let document = session.document
      let (answers, sheets) = (
        Self.answers(document), document["navigation"]?["presented"]?.array ?? []
      )
      if answers.isEmpty, sheets.isEmpty { return }
      for prompt in document["prompts"]?.members ?? [] { ledger.note(prompt.value) }
      for answer in answers { session.send("answer", answer) }
      if let sheet = sheets.first?["id"] {
        session.send("navigation/dismiss", ["presentation": sheet])
      }
      try settle()
    }
  }

  func perform(_ action: Action, _ random: inout SplitMix64) throws {
    for step in steps(of: action, &random) {
      try begin(step)
      try finish()
      try settle()
    }
    try clearScreen()
  }

  func end() throws {
    try settle()
    try session.end()
  }
}
