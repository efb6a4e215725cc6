import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// Another process signs in or out while this one shows Kim.
@Suite struct OwnerTests {
  private let database: Database
  private let kim: Account

  init() async throws {
    database = try Database(.memory, execution: .inline)
    let accounts = SQLiteAccountRepository(database: database)
    kim = try await accounts.signUp(name: "Kim", email: "k@x", as: .guest)
  }

  @Test(arguments: [true, false])
  func everyWriteForAnAccountThatIsNotSignedInFails(isGuest: Bool) async throws {
    let chats = SQLiteChatRepository(database: database)
    let avatars = SQLiteAvatarRepository(database: database, client: .showcase())
    let library = SQLiteLibraryRepository(database: database)
    let settings = SQLiteSettingsRepository(database: database)
    let reminders = SQLiteReminderRepository(database: database)
    let accounts = SQLiteAccountRepository(database: database)
    let session = SQLiteSessionRepository(database: database)
    let (owner, kim, mina) = (Owner.account(kim.id), kim, BuiltInAvatars.mina)
    _ = try await chats.say("Hi", to: mina, at: 1, as: owner)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, as: owner)

    try await session.signOut(kim)
    if !isGuest { _ = try await accounts.signUp(name: "Lee", email: "l@x", as: .guest) }
    let before = try await contents()
    let writes: [(String, () async throws -> Void)] = [
      ("say", { _ = try await chats.say("PRIVATE", to: mina, at: 3, as: owner) }),
      ("begin", { _ = try await chats.beginReply("x", in: "mina", at: 3, as: owner) }),
      ("append", { try await chats.append("lo", to: reply.id, as: owner) }),
      ("end", { _ = try await chats.endReply(reply.id, .complete, as: owner) }),
      ("clear", { try await chats.clearChat("mina", as: owner) }),
      ("delete", { try await chats.deleteChat("mina", at: .zero, as: owner) }),
      ("restore", { try await chats.restoreChat("mina", as: owner) }),
      (
        "avatar",
        {
          _ = try await avatars.create(
            name: "Rex", category: .animals, description: "", as: owner)
        }
      ),
      ("bookmark", { try await library.setBookmarked(true, key: "jaws", as: owner) }),
      ("no bookmark", { try await library.setBookmarked(false, key: "jaws", as: owner) }),
      ("progress", { try await library.setProgress(0.5, key: "jaws", as: owner) }),
      ("no progress", { try await library.setProgress(nil, key: "jaws", as: owner) }),
      ("setting", { try await settings.set("a", to: "1", of: .account(owner)) }),
      ("reminders", { try await reminders.replace(with: [], as: owner) }),
      ("profile", { _ = try await accounts.update(kim, name: "x", picture: .artists) }),
      ("deletion", { try await accounts.delete(kim) }),
      ("sign out", { try await session.signOut(kim) }),
      ("sign up", { _ = try await accounts.signUp(name: "Zoe", email: "z@x", as: owner) }),
    ]
    for (name, write) in writes {
      let failure = await #expect(throws: LoadFailure.self, "\(name)") { try await write() }
      #expect(failure?.reason == .accountChanged, "\(name)")
    }
    SQLiteEventTracker(database: database).track("tap", [:], at: 4, as: owner)
    #expect(try await contents() == before)
  }

  @Test func readsForAnAccountThatIsNotSignedInFail() async throws {
    try await SQLiteSessionRepository(database: database).signOut(kim)
    let owner = Owner.account(kim.id)
    let failure = await #expect(throws: LoadFailure.self) {
      try await SQLiteChatRepository(database: database).chats(as: owner)
    }
    #expect(failure?.reason == .accountChanged)
  }

  /// Every row of every table that a user's actions change.
  private func contents() async throws -> [String] {
    try await database.read { connection in
      try [
        "SELECT id || owner || avatar || name || coalesce(deleted_at, '') FROM chats",
        "SELECT id || chat || text || is_finished FROM messages",
        "SELECT message || text FROM reply_pieces",
        "SELECT owner || name FROM avatars", "SELECT owner || title FROM library_bookmarks",
        "SELECT owner || title || progress FROM library_progress",
        "SELECT owner || name || value FROM settings", "SELECT id || at FROM reminders",
        "SELECT id || name || picture FROM accounts",
        "SELECT 'signed in: ' || account FROM session",
        "SELECT owner || name FROM tracked_events",
      ].flatMap { try connection.rows($0) { try $0[0] as String } }
    }
  }
}
