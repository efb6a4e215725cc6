import Foundation
import Offstage
import OffstageLive

@testable import Showcase
@testable import ShowcaseLive

// The repositories' methods for the owner who is signed in, for tests about other things.

extension PersonalDatabase {
  func chats() async throws -> [Chat] { try await chats(as: .signedIn) }

  func messages(of chat: String) async throws -> [ChatMessage]? {
    try await newestMessages(of: chat, limit: 1000, as: .signedIn)?.messages
  }

  func say(_ text: String, to avatar: Avatar, at time: Int) async throws -> ChatMessage {
    try await say(text, to: avatar, at: time, as: .signedIn)
  }

  func beginReply(_ piece: String, in chat: String, at time: Int) async throws -> ChatMessage {
    try await beginReply(piece, in: chat, at: time, as: .signedIn)
  }

  func append(_ piece: String, to reply: Int) async throws {
    try await append(piece, to: reply, as: .signedIn)
  }

  @discardableResult
  func endReply(_ reply: Int, _ end: ReplyEnd) async throws -> [Int] {
    try await endReply(reply, end, as: .signedIn)
  }

  func clearChat(_ chat: String) async throws { try await clearChat(chat, as: .signedIn) }

  func deleteChat(_ chat: String, at time: Duration = .seconds(1)) async throws {
    try await deleteChat(chat, at: time, as: .signedIn)
  }

  func restoreChat(_ chat: String) async throws { try await restoreChat(chat, as: .signedIn) }
}

extension StoredAvatarRepository {
  /// Creates one whose cache is in memory.
  init(database: PersonalDatabase, server: URL? = nil, client: HTTPClient) throws {
    let cache = ResponseCache(
      client: client, database: try Database(.memory, execution: .inline))
    self.init(database: database, server: server, cache: cache)
  }

  func avatars(in category: AvatarCategory) async throws -> [Avatar] {
    try await avatars(in: category, as: .signedIn)
  }

  func avatar(id: String) async throws -> Avatar { try await avatar(id: id, as: .signedIn) }
  func created() async throws -> [Avatar] { try await created(as: .signedIn) }

  func create(
    name: String, category: AvatarCategory, description: String
  ) async throws -> Avatar {
    try await create(name: name, category: category, description: description, as: .signedIn)
  }
}

extension PersonalDatabase {
  func library() async throws -> LibraryContent { try await library(as: .signedIn) }

  func setBookmarked(_ isBookmarked: Bool, key: String) async throws {
    try await setBookmarked(isBookmarked, key: key, as: .signedIn)
  }
}

extension PersonalDatabase {
  func signUp(name: String, email: String) async throws -> Account {
    try await signUp(name: name, email: email, as: .signedIn)
  }
}

extension PersonalDatabase {
  func replace(with reminders: [Reminder]) async throws {
    try await replace(with: reminders, as: .signedIn)
  }
}

extension StoredEventTracker {
  func track(_ name: String, _ parameters: [String: String], at time: Int) {
    track(name, parameters, at: time, as: .signedIn)
  }
}

extension EventFile {
  func track(_ name: String, _ parameters: [String: String], at time: Int) {
    track(name, parameters, at: time, as: .signedIn)
  }
}

extension ReplySource {
  /// Replies to a whole conversation.
  func reply(
    to messages: [ChatMessage], as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error> {
    reply(to: ChatHistory(messages, earlier: 0), as: avatar, in: language)
  }
}
