import OffstageJSON
import TestSupport

/// Which text was written under which account.
final class AccountLedger {
  struct Figures: CustomStringConvertible {
    var rounds = 0, writes = 0, refusals = 0, frames = 0, audited = 0

    static func += (sum: inout Figures, next: Figures) {
      sum.rounds += next.rounds
      sum.writes += next.writes
      sum.refusals += next.refusals
      sum.frames += next.frames
      sum.audited += next.audited
    }

    var description: String {
      "\(rounds) rounds, \(writes) writes, \(refusals) refused because of another account, "
        + "\(frames) frames checked, \(audited) saved texts found again"
    }
  }

  private struct Write {
    /// The id of the account, 0 for the guest; nil until the core has answered.
    var owner: Int?
    /// The number of accounts that existed before: what a guest has written moves to a later one.
    let accounts: Int
  }

  private(set) var figures = Figures()
  private(set) var journal: [String] = []
  private var writes: [String: [Write]] = [:]
  /// The chat that a text is in, or "avatar".
  private var places: [String: String] = [:]
  /// The ids of accounts in the order in which they were first shown.
  private var accounts: [Int] = []
  private var names: Set<String> = []
  /// The number of accounts at the beginning of the round.
  private var accountsBefore = 0
  /// The message that a reply answers.
  private var replies: [Int: String] = [:]
  /// The texts that were shown as saved.
  private var saved: Set<String> = []
  private var deletedChats: Set<String> = []
  private var hasDeletedAccount = false
  private var count = 0

  // MARK: What is written

  func beginRound() {
    figures.rounds += 1
    accountsBefore = accounts.count
  }

  /// Returns a text that is written once.
  func newText(_ place: String) -> String {
    count += 1
    let text = "text\(count)"
    places[text] = place
    return text
  }

  func mayDelete(_ chat: String) { deletedChats.insert("message in \(chat)") }

  func began(_ text: String) {
    writes[text, default: []].append(Write(owner: nil, accounts: accountsBefore))
  }

  /// Notes the account that the screen showed when the core handled the step.
  func wrote(_ text: String, in document: JSON) {
    figures.writes += 1
    let owner = Self.owner(document)
    journal.append("\(text) (\(places[text] ?? "bookmark")) as \(owner)")
    if let index = writes[text]?.lastIndex(where: { $0.owner == nil }) {
      writes[text]?[index].owner = owner
    }
  }

  func took(_ outcome: CoreSession.Outcome) throws {
    if let fault = outcome.faults.first { throw Failure("a fault: \(fault)") }
  }

  /// Notes an alert.
  func note(_ prompt: JSON) {
    let message = prompt["params"]?["message"]?.string ?? ""
    if message.contains("another window, so nothing was saved") { figures.refusals += 1 }
  }

  // MARK: What is shown

  func check(_ document: JSON) throws {
    guard let screens = document["screens"]?.members else { return }
    figures.frames += 1
    for (_, prompt) in document["prompts"]?.members ?? []
    where prompt["params"]?["title"]?.string == "Delete your account?" {
      // Whichever step answers it next confirms.
      hasDeletedAccount = true
    }
    let owner = Self.owner(document)
    if owner != 0, !accounts.contains(owner) { accounts.append(owner) }
    if let name = document["app"]?["output"]?["account"]?["name"]?.string { names.insert(name) }
    for (_, screen) in screens {
      let output = screen["output"]
      var question = ""
      for message in output?["messages"]?["rows"]?.array ?? [] {
        if message["author"]?.string == "me" {
          question = (message["pieces"]?.array ?? []).compactMap(\.string).joined()
          try check(question, owner, "a message")
        } else if let id = message["id"]?.int {
          guard replies[id] == nil || replies[id] == question else {
            throw Failure("the reply to \(replies[id]!) is shown to \(owner) under \(question)")
          }
          replies[id] = question
        }
      }
      for chat in output?["chats"]?.array ?? [] {
        try check(chat["lastMessage"]?.string ?? "", owner, "a chat")
      }
      for avatar in output?["avatars"]?.array ?? [] {
        try check(avatar["name"]?.string ?? "", owner, "an avatar")
      }
      for shelf in output?["shelves"]?.array ?? [] where shelf["id"]?.string == "bookmarked" {
        for card in shelf["cards"]?.array ?? [] {
          let title = card["selection"]?["key"]?.string ?? ""
          if AccountUser.titles.contains(title) { try check(title, owner, "a bookmark") }
        }
      }
      for field in screen["fields"]?.members ?? [] {
        try check(field.value["value"]?.string ?? "", owner, "a draft")
      }
    }
  }

  private func check(_ text: String, _ owner: Int, _ what: String) throws {
    let isKnown = places[text] != nil || AccountUser.titles.contains(text)
    guard isKnown else { return }
    guard writes[text]?.contains(where: { mayBelong($0, to: owner) }) == true else {
      throw Failure("\(what), \(text), is shown to \(owner), and was written for another account")
    }
    if what != "a draft" { saved.insert(text) }
  }

  private func mayBelong(_ write: Write, to owner: Int) -> Bool {
    guard let writer = write.owner else { return true }
    return writer == owner || writer == 0 && accounts.dropFirst(write.accounts).contains(owner)
  }

  private static func owner(_ document: JSON) -> Int {
    document["app"]?["output"]?["account"]?["id"]?.int ?? 0
  }

  // MARK: The end

  /// Signs in to every account, and looks for everything that was saved.
  func audit(_ user: AccountUser, _ random: inout SplitMix64) throws {
    let before = saved
    saved = []
    try user.clearScreen()
    try user.perform(.signOut, &random)
    try lookAround(user, &random)
    for name in names.sorted() {
      try user.perform(.signUp(name), &random)
      try lookAround(user, &random)
      try user.perform(.signOut, &random)
    }
    figures.audited += saved.count
    if hasDeletedAccount { return }
    let lost = before.subtracting(saved).filter {
      places[$0].map { !deletedChats.contains($0) } ?? false
    }
    guard lost.isEmpty else {
      let texts = lost.sorted().map { "\($0) (\(places[$0]!))" }.joined(separator: ", ")
      throw Failure("saved and lost: \(texts)")
    }
  }

  private func lookAround(_ user: AccountUser, _ random: inout SplitMix64) throws {
    for avatar in AccountUser.avatars { try user.perform(.look(avatar), &random) }
  }
}
