import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct SQLiteChatRepositoryTests {
  private let mina = BuiltInAvatars.mina
  private let misty = BuiltInAvatars.misty

  @Test(arguments: [Database.Execution.inline, .background])
  func storesMessages(execution: Database.Execution) async throws {
    let chats = SQLiteChatRepository(database: try Database(.memory, execution: execution))
    #expect(try await chats.messages(of: "mina") == nil)
    let first = try await chats.say("Hi", to: mina, at: 1)
    #expect(first == ChatMessage(id: 1, author: .me, text: "Hi"))
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, replacing: nil)
    #expect(reply == ChatMessage(id: 2, author: .avatar, text: "Hel", isCut: true))
    for piece in ["lo", ", ", "'there'; --", " 👋\0"] { try await chats.append(piece, to: reply.id) }
    #expect(
      try await chats.messages(of: "mina") == [
        first,
        ChatMessage(id: 2, author: .avatar, text: "Hello, 'there'; -- 👋\0", isCut: true),
      ])
    try await chats.finishReply(reply.id)
    #expect(
      try await chats.messages(of: "mina")?.last
        == ChatMessage(id: 2, author: .avatar, text: "Hello, 'there'; -- 👋\0"))
  }

  @Test func listsTheChatWithTheNewestMessageFirst() async throws {
    let chats = SQLiteChatRepository(database: try Database(.memory, execution: .inline))
    #expect(try await chats.chats().isEmpty)
    _ = try await chats.say("Hi", to: mina, at: 1)
    _ = try await chats.say("Psst", to: misty, at: 2)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 3, replacing: nil)
    try await chats.append("lo", to: reply.id)
    let list = try await chats.chats()
    #expect(list.map(\.id) == ["mina", "misty"])
    #expect(list.map(\.lastMessage) == ["Hello", "Psst"])
    #expect(list.map(\.at) == [3, 2])
    #expect(list[0].name == mina.name)
    #expect(list[0].image == mina.image)
  }

  @Test func cutReplyKeepsItsReason() async throws {
    let chats = SQLiteChatRepository(database: try Database(.memory, execution: .inline))
    _ = try await chats.say("Hi", to: mina, at: 1)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, replacing: nil)
    try await chats.cutReply(reply.id, .contentFilter)
    #expect(
      try await chats.messages(of: "mina")?.last
        == ChatMessage(
          id: 2, author: .avatar, text: "Hel", isCut: true, cutReason: .contentFilter))
  }

  @Test func partialReplySurvivesARestart() async throws {
    let directory = try TemporaryDirectory()
    do {
      let database = try Database(.directory(directory.url), execution: .background)
      let chats = SQLiteChatRepository(database: database)
      _ = try await chats.say("Hi", to: mina, at: 1)
      let reply = try await chats.beginReply("Hel", in: "mina", at: 2, replacing: nil)
      try await chats.append("lo", to: reply.id)
    }
    let database = try Database(.directory(directory.url), execution: .background)
    let chats = SQLiteChatRepository(database: database)
    #expect(
      try await chats.messages(of: "mina") == [
        ChatMessage(id: 1, author: .me, text: "Hi"),
        ChatMessage(id: 2, author: .avatar, text: "Hello", isCut: true),
      ])
    // An id is never given twice.
    #expect(try await chats.say("And", to: mina, at: 3).id == 3)
  }

  @Test func aReplyReplacesAMessageWithItsPieces() async throws {
    let database = try Database(.memory, execution: .inline)
    let chats = SQLiteChatRepository(database: database)
    _ = try await chats.say("Hi", to: mina, at: 1)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, replacing: nil)
    try await chats.append("lo", to: reply.id)
    let new = try await chats.beginReply("Yes", in: "mina", at: 3, replacing: reply.id)
    #expect(try await chats.messages(of: "mina")?.map(\.text) == ["Hi", "Yes"])
    #expect(new.id > reply.id)
    let left: Int? = try await database.read { connection in
      try connection.row("SELECT count(*) FROM reply_pieces") { try $0[0] }
    }
    #expect(left == 0)
  }

  /// The other process asks for the reply again.
  @Test func replyThatAnotherProcessReplacesFails() async throws {
    let directory = try TemporaryDirectory()
    let chats = try (1...2).map { _ in
      SQLiteChatRepository(
        database: try Database(.directory(directory.url), execution: .background))
    }
    _ = try await chats[0].say("Hi", to: mina, at: 1)
    let reply = try await chats[0].beginReply("Hel", in: "mina", at: 2, replacing: nil)
    _ = try await chats[1].beginReply("Yes", in: "mina", at: 3, replacing: reply.id)
    for change in [
      { try await chats[0].append("lo", to: reply.id) },
      { try await chats[0].finishReply(reply.id) },
    ] as [@Sendable () async throws -> Void] {
      let failure = await #expect(throws: LoadFailure.self) { try await change() }
      #expect(failure?.reason == .changedElsewhere)
    }
    #expect(try await chats[0].messages(of: "mina")?.map(\.text) == ["Hi", "Yes"])
  }

  @Test func clearedChatIsEmptyAndNotListed() async throws {
    let database = try Database(.memory, execution: .inline)
    let chats = SQLiteChatRepository(database: database)
    try await chats.clearChat("mina")
    for avatar in [mina, misty] { _ = try await chats.say("Hi", to: avatar, at: 1) }
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, replacing: nil)
    try await chats.append("lo", to: reply.id)
    try await chats.clearChat("mina")
    #expect(try await chats.messages(of: "mina") == [])
    #expect(try await chats.messages(of: "misty")?.count == 1)
    #expect(try await chats.chats().map(\.id) == ["misty"])
    let left: Int? = try await database.read { connection in
      try connection.row("SELECT count(*) FROM reply_pieces") { try $0[0] }
    }
    #expect(left == 0)
    _ = try await chats.say("Again", to: mina, at: 3)
    #expect(try await chats.messages(of: "mina")?.map(\.text) == ["Again"])
  }

  @Test func replyNeedsAChat() async throws {
    let chats = SQLiteChatRepository(database: try Database(.memory, execution: .inline))
    let failure = await #expect(throws: LoadFailure.self) {
      try await chats.beginReply("Hel", in: "mina", at: 1, replacing: nil)
    }
    #expect(failure?.reason == .notFound)
  }

  @Test func deletedChatCanBeRestoredUntilItIsPurged() async throws {
    let database = try Database(.memory, execution: .inline)
    let chats = SQLiteChatRepository(database: database)
    _ = try await chats.say("Hi", to: mina, at: 1)
    try await chats.deleteChat("mina")
    #expect(try await chats.chats().isEmpty)
    #expect(try await chats.messages(of: "mina") == nil)
    try await chats.restoreChat("mina")
    #expect(try await chats.chats().map(\.id) == ["mina"])
    try await chats.deleteChat("mina")
    try await chats.purgeDeletedChats()
    let failure = await #expect(throws: LoadFailure.self) { try await chats.restoreChat("mina") }
    #expect(failure?.reason == .notFound)
    #expect(try await chats.chats().isEmpty)
    _ = try await chats.say("Again", to: mina, at: 2)
    try await chats.deleteChat("mina")
    _ = try await chats.say("Anew", to: mina, at: 3)
    #expect(try await chats.messages(of: "mina")?.map(\.text) == ["Anew"])
    await #expect(throws: LoadFailure.self) { try await chats.restoreChat("mina") }
  }

  @Test func deletionThatFailsPurgesNothing() async throws {
    let database = try Database(.memory, execution: .inline)
    let chats = SQLiteChatRepository(database: database)
    for avatar in [mina, misty] { _ = try await chats.say("Hi", to: avatar, at: 1) }
    try await chats.deleteChat("mina")
    try await database.write {
      try $0.execute(
        script: """
          CREATE TRIGGER full BEFORE UPDATE ON chats BEGIN SELECT RAISE(ABORT, 'full'); END
          """)
    }
    await #expect(throws: LoadFailure.self) { try await chats.deleteChat("misty") }
    try await database.write { try $0.execute(script: "DROP TRIGGER full") }
    try await chats.restoreChat("mina")
    #expect(try await chats.chats().count == 2)
  }

  /// Switching accounts ends the time to undo, so that no account keeps chats deleted for good.
  @Test func purgeDeletesTheChatsOfAllAccounts() async throws {
    let database = try Database(.memory, execution: .inline)
    let chats = SQLiteChatRepository(database: database)
    let accounts = SQLiteAccountRepository(database: database)
    _ = try await accounts.signUp(name: "Kim", email: "kim@example.org")
    for avatar in [mina, misty] { _ = try await chats.say("Hi", to: avatar, at: 1) }
    try await chats.deleteChat("mina")
    try await SQLiteSessionRepository(database: database).signOut()
    _ = try await chats.say("Hi", to: mina, at: 2)
    try await chats.purgeDeletedChats()
    #expect(try await chats.chats().map(\.id) == ["mina"])
    _ = try await accounts.signUp(name: "", email: "kim@example.org")
    #expect(try await chats.chats().map(\.id) == ["misty"])
    await #expect(throws: LoadFailure.self) { try await chats.restoreChat("mina") }
  }
}

/// Two of the built-in avatars.
enum BuiltInAvatars {
  static let mina = Avatar.builtIn(id: "mina")!
  static let misty = Avatar.builtIn(id: "misty")!
}
