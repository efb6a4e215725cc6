import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct StoredChatsTests {
  private let mina = BuiltInAvatars.mina
  private let misty = BuiltInAvatars.misty

  @Test(arguments: Store.allCases)
  func storesMessages(store: Store) async throws {
    let chats = PersonalDatabase(try store.open())
    #expect(try await chats.messages(of: "mina") == nil)
    let first = try await chats.say("Hi", to: mina, at: 1)
    #expect(first == ChatMessage(id: 1, author: .me, text: "Hi"))
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2)
    #expect(reply == ChatMessage(id: 2, author: .avatar, text: "Hel", isCut: true))
    for piece in ["lo", ", ", "'there'; --", " 👋"] { try await chats.append(piece, to: reply.id) }
    #expect(
      try await chats.messages(of: "mina") == [
        first,
        ChatMessage(id: 2, author: .avatar, text: "Hello, 'there'; -- 👋", isCut: true),
      ])
    try await chats.endReply(reply.id, .complete)
    #expect(
      try await chats.messages(of: "mina")?.last
        == ChatMessage(id: 2, author: .avatar, text: "Hello, 'there'; -- 👋"))
  }

  /// The messages that are skipped, how many are read, and those that come.
  @Test(
    arguments: [(0, 3, 5...7), (2, 3, 3...5), (5, 10, 1...2), (7, 2, nil), (0, 0, nil)]
      as [(Int, Int, ClosedRange<Int>?)], Store.allCases)
  func readsMessagesThatAreOlderThanAnotherOne(
    _ older: (skipped: Int, limit: Int, expected: ClosedRange<Int>?), store: Store
  ) async throws {
    let chats = PersonalDatabase(try store.open())
    var ids: [Int] = []
    for number in 1...10 {
      ids.append(try await chats.say("\(number)", to: mina, at: 1).id)
      // In between are those of another chat.
      _ = try await chats.say("Psst", to: misty, at: 1)
    }
    let newest = try await chats.newestMessages(of: "mina", limit: 3, as: .signedIn)
    #expect(newest?.count == 10)
    #expect(newest?.messages.map(\.text) == ["8", "9", "10"])
    let found = try await chats.messages(
      of: "mina", before: ids[7], skipping: older.skipped, limit: older.limit, as: .signedIn)
    #expect(found.map(\.text) == (older.expected.map { $0.map { "\($0)" } } ?? []))
    #expect(
      try await chats.messages(of: "joon", before: 5, skipping: 0, limit: 9, as: .signedIn) == [])
  }

  @Test(arguments: Store.allCases) func listsTheChatWithTheNewestMessageFirst(store: Store)
    async throws
  {
    let chats = PersonalDatabase(try store.open())
    #expect(try await chats.chats().isEmpty)
    _ = try await chats.say("Hi", to: mina, at: 1)
    _ = try await chats.say("Psst", to: misty, at: 2)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 3)
    try await chats.append("lo", to: reply.id)
    let list = try await chats.chats()
    #expect(list.map(\.id) == ["mina", "misty"])
    #expect(list.map(\.lastMessage) == ["Hello", "Psst"])
    #expect(list.map(\.at) == [3, 2])
    #expect(list[0].name == mina.name)
    #expect(list[0].image == mina.image)
  }

  @Test(arguments: Store.allCases) func cutReplyKeepsItsReason(store: Store) async throws {
    let chats = PersonalDatabase(try store.open())
    _ = try await chats.say("Hi", to: mina, at: 1)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2)
    try await chats.endReply(reply.id, .cut(.contentFilter))
    #expect(
      try await chats.messages(of: "mina")?.last
        == ChatMessage(
          id: 2, author: .avatar, text: "Hel", isCut: true, cutReason: .contentFilter))
  }

  @Test(arguments: [Store.file, .server]) func partialReplySurvivesARestart(store: Store)
    async throws
  {
    let place = try Store.Place(store)
    do {
      let database = try place.open()
      let chats = PersonalDatabase(database)
      _ = try await chats.say("Hi", to: mina, at: 1)
      let reply = try await chats.beginReply("Hel", in: "mina", at: 2)
      try await chats.append("lo", to: reply.id)
    }
    let database = try place.open()
    let chats = PersonalDatabase(database)
    #expect(
      try await chats.messages(of: "mina") == [
        ChatMessage(id: 1, author: .me, text: "Hi"),
        ChatMessage(id: 2, author: .avatar, text: "Hello", isCut: true),
      ])
    // An id is never given twice.
    #expect(try await chats.say("And", to: mina, at: 3).id == 3)
  }

  /// The lengths of the replies to a message in their order, negative if cut off, and those left.
  @Test(
    arguments: [
      ([-5, 9], [9]), ([-5, 3], [-5, 3]), ([-5, -3], [-5]), ([-5, -9], [-9]), ([-5, -5], [-5]),
      // After a crash, two may be cut off.
      ([-5, -3, 4], [-5, 4]), ([-3, -5, 6], [6]),
    ], Store.allCases)
  func aReplyOutlivesOnlyThoseThatAreNoLonger(
    _ replies: (lengths: [Int], left: [Int]), store: Store
  ) async throws {
    let (lengths, left) = replies
    let database = try store.open()
    let chats = PersonalDatabase(database)
    _ = try await chats.say("Hi", to: mina, at: 1)
    var ids: [Int] = []
    for length in lengths {
      let reply = try await chats.beginReply("H", in: "mina", at: 2)
      for _ in 1..<abs(length) { try await chats.append("i", to: reply.id) }
      ids.append(reply.id)
    }
    for (id, length) in zip(ids, lengths).suffix(1) {
      let deleted = try await chats.endReply(id, length < 0 ? .cut(nil) : .complete)
      #expect(deleted.count == lengths.count - left.count)
    }
    let shown = try #require(try await chats.messages(of: "mina")).dropFirst()
    #expect(shown.map { $0.isCut ? -$0.text.count : $0.text.count } == left)
    let pieces: Int? = try await database.read { connection in
      try connection.row(
        "SELECT count(*) FROM reply_pieces WHERE message NOT IN (SELECT id FROM messages)"
      ) { try $0[0] }
    }
    #expect(pieces == 0)
  }

  @Test(arguments: [Store.file, .server]) func replyThatAnotherProcessDeletesFails(store: Store)
    async throws
  {
    let place = try Store.Place(store)
    let chats = try (1...2).map { _ in
      PersonalDatabase(try place.open())
    }
    _ = try await chats[0].say("Hi", to: mina, at: 1)
    let reply = try await chats[0].beginReply("Hel", in: "mina", at: 2)
    try await chats[1].clearChat("mina")
    for change in [
      { try await chats[0].append("lo", to: reply.id) },
      { try await chats[0].endReply(reply.id, .complete) },
    ] as [@Sendable () async throws -> Void] {
      let failure = await #expect(throws: LoadFailure.self) { try await change() }
      #expect(failure?.reason == .changedElsewhere)
    }
    #expect(try await chats[0].messages(of: "mina") == [])
  }

  /// The guest's chats have moved to an account, and there is a guest again.
  @Test(arguments: Store.allCases) func replyInAChatThatHasMovedFails(store: Store) async throws {
    let database = try store.open()
    let chats = PersonalDatabase(database)
    _ = try await chats.say("Hi", to: mina, at: 1, as: .guest)
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2, as: .guest)
    let kim = try await PersonalDatabase(database)
      .signUp(name: "Kim", email: "k@x", as: .guest)
    try await PersonalDatabase(database).signOut(kim)
    let failure = await #expect(throws: LoadFailure.self) {
      try await chats.append("lo", to: reply.id, as: .guest)
    }
    #expect(failure?.reason == .changedElsewhere)
  }

  @Test(arguments: Store.allCases) func anAnsweredMessageIsNotAnsweredAgain(store: Store)
    async throws
  {
    let chats = PersonalDatabase(try store.open())
    _ = try await chats.say("Hi", to: mina, at: 1)
    let reply = try await chats.beginReply("Hello", in: "mina", at: 2)
    try await chats.endReply(reply.id, .complete)
    let failure = await #expect(throws: LoadFailure.self) {
      try await chats.beginReply("Hel", in: "mina", at: 3)
    }
    #expect(failure?.reason == .changedElsewhere)
  }

  @Test(arguments: Store.allCases) func clearedChatIsEmptyAndNotListed(store: Store) async throws {
    let database = try store.open()
    let chats = PersonalDatabase(database)
    try await chats.clearChat("mina")
    for avatar in [mina, misty] { _ = try await chats.say("Hi", to: avatar, at: 1) }
    let reply = try await chats.beginReply("Hel", in: "mina", at: 2)
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

  @Test(arguments: Store.allCases) func replyNeedsAChat(store: Store) async throws {
    let chats = PersonalDatabase(try store.open())
    let failure = await #expect(throws: LoadFailure.self) {
      try await chats.beginReply("Hel", in: "mina", at: 1)
    }
    #expect(failure?.reason == .notFound)
  }

  @Test(arguments: Store.allCases) func deletedChatCanBeRestoredUntilItIsPurged(store: Store)
    async throws
  {
    let database = try store.open()
    let chats = PersonalDatabase(database)
    _ = try await chats.say("Hi", to: mina, at: 1)
    try await chats.deleteChat("mina")
    #expect(try await chats.chats().isEmpty)
    #expect(try await chats.messages(of: "mina") == nil)
    try await chats.restoreChat("mina")
    #expect(try await chats.chats().map(\.id) == ["mina"])
    try await chats.deleteChat("mina", at: .seconds(10))
    // Another process may start meanwhile.
    try await chats.purgeDeletedChats(before: .seconds(9.5))
    try await chats.restoreChat("mina")
    try await chats.deleteChat("mina", at: .seconds(10))
    try await chats.purgeDeletedChats(before: .seconds(10))
    let failure = await #expect(throws: LoadFailure.self) { try await chats.restoreChat("mina") }
    #expect(failure?.reason == .notFound)
    #expect(try await chats.chats().isEmpty)
    _ = try await chats.say("Again", to: mina, at: 2)
    try await chats.deleteChat("mina")
    _ = try await chats.say("Anew", to: mina, at: 3)
    #expect(try await chats.messages(of: "mina")?.map(\.text) == ["Anew"])
    await #expect(throws: LoadFailure.self) { try await chats.restoreChat("mina") }
  }

  @Test(arguments: Store.allCases) func purgeDeletesTheChatsOfAllAccounts(store: Store) async throws
  {
    let database = try store.open()
    let chats = PersonalDatabase(database)
    let accounts = PersonalDatabase(database)
    let kim = try await accounts.signUp(name: "Kim", email: "kim@example.org")
    for avatar in [mina, misty] { _ = try await chats.say("Hi", to: avatar, at: 1) }
    try await chats.deleteChat("mina")
    try await PersonalDatabase(database).signOut(kim)
    _ = try await chats.say("Hi", to: mina, at: 2)
    try await chats.purgeDeletedChats(before: .seconds(10))
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
