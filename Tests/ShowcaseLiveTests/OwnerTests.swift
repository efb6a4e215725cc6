import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// Another process signs in or out while this one shows Kim.
@Suite struct OwnerTests {
  @Test(arguments: [true, false], Store.allCases)
  func everyWriteForAnAccountThatIsNotSignedInFails(isGuest: Bool, store: Store) async throws {
    let (database, kim) = try await signedIn(store)
    let chats = PersonalDatabase(database)
    let avatars = try StoredAvatarRepository(
      database: PersonalDatabase(database), client: .showcase())
    let library = PersonalDatabase(database)
    let settings = StoredSettingsRepository(database: PersonalDatabase(database))
    let reminders = PersonalDatabase(database)
    let accounts = PersonalDatabase(database)
    let session = PersonalDatabase(database)
    let (owner, mina) = (Owner.account(kim.id), BuiltInAvatars.mina)
    _ = try await chats.say("Hi", to: mina, at: 1, as: owner)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, as: owner)

    try await session.signOut(kim)
    if !isGuest { _ = try await accounts.signUp(name: "Lee", email: "l@x", as: .guest) }
    let before = try await contents(database)
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
      ("setting", { try await settings.set("a", to: "1", as: owner) }),
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
    StoredEventTracker(database: PersonalDatabase(database)).track("tap", [:], at: 4, as: owner)
    #expect(try await contents(database) == before)
  }

  @Test(arguments: Store.allCases)
  func readsForAnAccountThatIsNotSignedInFail(store: Store) async throws {
    let (database, kim) = try await signedIn(store)
    try await PersonalDatabase(database).signOut(kim)
    let owner = Owner.account(kim.id)
    let failure = await #expect(throws: LoadFailure.self) {
      try await PersonalDatabase(database).chats(as: owner)
    }
    #expect(failure?.reason == .accountChanged)
  }

  private func signedIn(_ store: Store) async throws -> (Database, Account) {
    let database = try store.open()
    let accounts = PersonalDatabase(database)
    return (database, try await accounts.signUp(name: "Kim", email: "k@x", as: .guest))
  }

  /// Every row of every table that a user's actions change.
  private func contents(_ database: Database) async throws -> [String] {
    let tables = [
      "chats": ["id", "owner", "avatar", "name", "deleted_at"],
      "messages": ["owner", "id", "chat", "text", "is_finished"],
      "reply_pieces": ["owner", "message", "text"],
      "avatars": ["owner", "name"],
      "library_bookmarks": ["owner", "title"],
      "library_progress": ["owner", "title", "progress"],
      "settings": ["owner", "name", "value"],
      "reminders": ["owner", "id", "at"],
      "accounts": ["id", "name", "picture"],
      "visitors": ["number", "account"],
      "tracked_events": ["owner", "name"],
    ]
    return try await database.read { connection in
      try tables.flatMap { table, columns in
        try connection.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table)") { row in
          try columns.indices.reduce(table) { "\($0) \(try row[$1] as SQLValue)" }
        }
      }.sorted()
    }
  }
}
