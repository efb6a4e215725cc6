import FaultInjection
import Foundation
import OffstageLive
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

/// The n-th call of a kind fails, for n over a whole run: whatever was acknowledged is there
/// afterwards, the rest was reported, and the database is sound.
@Suite struct FaultTests {
  static let kinds = [
    FAULT_WRITE, FAULT_SYNC, FAULT_OPEN, FAULT_SHM, FAULT_MALLOC,
  ].map(\.rawValue)

  private static let places = 40

  /// The results that a run reported.
  private struct Outcome {
    var saved: Set<Int> = []
    var isBookmarked = false
    /// The texts of the messages in the chat, a reply as far as it was written.
    var messages: [String] = []
    var account: Account?
    var hasImported = false
    var failures = 0
  }

  @Test(arguments: kinds, [false, true])
  func useSurvivesEveryFault(kind: UInt32, repeats: Bool) async throws {
    let template = try TemporaryDirectory()
    try Database(.directory(template.url), execution: .inline).close()
    let empty = try Data(contentsOf: template.file("showcase.sqlite"))
    try await withTaskExecutorPreference(QueueExecutor()) {
      try await check(kind, repeats) { directory in
        try empty.write(to: directory.file("showcase.sqlite"))
      }
    }
  }

  @Test(arguments: kinds, [false, true])
  func creationSurvivesEveryFault(kind: UInt32, repeats: Bool) async throws {
    try await withTaskExecutorPreference(QueueExecutor()) {
      try await check(kind, repeats) { _ in }
    }
  }

  @Test func fullDiskHasAMessageOfItsOwn() throws {
    let directory = try TemporaryDirectory()
    fault_arm(FAULT_WRITE, 1, 1)
    let error = #expect(throws: DatabaseOpenError.self) {
      try open(directory, [Migration("CREATE TABLE a (x)")])
    }
    #expect(fault_disarm() > 0)
    #expect(error?.description.contains("no space left on the disk") == true)
  }

  private func open(
    _ directory: TemporaryDirectory, _ migrations: [Migration]
  ) throws -> Database {
    try Database(
      .directory(directory.url), migrations: migrations, execution: .inline, addFunctions: { _ in },
      mapError: { $0 })
  }

  private func check(
    _ kind: UInt32, _ repeats: Bool, prepare: (TemporaryDirectory) throws -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let source = try TemporaryDirectory()
    let file = source.file("places.geojson")
    try Data(
      (0..<Self.places).map {
        """
        {"type":"Feature","id":\(20_000 + $0),"geometry":{"type":"Point","coordinates":[1,2]}}
        """
      }.joined(separator: "\n").utf8
    ).write(to: file)
    var n = 1
    var reported = 0
    while true {
      let directory = try TemporaryDirectory()
      try prepare(directory)
      // Everything runs inline, on this thread, which is the one that is armed.
      fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
      let outcome = await run(in: directory.url, importing: file)
      let failed = fault_disarm()
      // Checking need not wait for the disk.
      fault_arm(FAULT_SYNC, .max, 0)
      defer { _ = fault_disarm() }
      try await verify(directory.url, outcome, "call \(n)")
      if failed == 0 {
        #expect(outcome.failures == 0, sourceLocation: location)
        #expect(outcome.saved.count == 3, sourceLocation: location)
        #expect(outcome.isBookmarked, sourceLocation: location)
        #expect(outcome.messages == ["Hi", "Hello"], sourceLocation: location)
        #expect(outcome.account != nil, sourceLocation: location)
        #expect(outcome.hasImported, sourceLocation: location)
        #expect(reported > 0, "no fault was noticed", sourceLocation: location)
        break
      }
      reported += outcome.failures
      // Every call at first, then a sample.
      n += 1 + n / 12
    }
  }

  private func run(in directory: URL, importing file: URL) async -> Outcome {
    var outcome = Outcome()
    do {
      let database = try Database(.directory(directory), execution: .inline)
      defer { database.close() }
      let settings = StoredSettingsRepository(database: PersonalDatabase(database))
      for number in 1...3 {
        do {
          try await settings.set("setting \(number)", to: "\(number)")
          outcome.saved.insert(number)
        } catch {
          outcome.failures += 1
        }
        // A read may fail. It must not make anything up.
        if let value = (try? await settings.values())?["setting \(number)"] {
          #expect(value == "\(number)")
        }
      }
      await useAsAGuestAndSignUp(database, &outcome)
      do {
        _ = try await PlaceImport.run(file, into: database)
        outcome.hasImported = true
      } catch {
        outcome.failures += 1
      }
    } catch {
      outcome.failures += 1
    }
    return outcome
  }

  /// Sign-up moves all that the guest has made, or nothing.
  private func useAsAGuestAndSignUp(_ database: Database, _ outcome: inout Outcome) async {
    let chats = PersonalDatabase(database)
    do {
      try await PersonalDatabase(database).setBookmarked(
        true, key: "signal")
      outcome.isBookmarked = true
    } catch {
      outcome.failures += 1
    }
    do {
      _ = try await chats.say("Hi", to: mina, at: 1)
      outcome.messages.append("Hi")
      let reply = try await chats.beginReply("Hel", in: mina.id, at: 2)
      outcome.messages.append("Hel")
      try await chats.append("lo", to: reply.id)
      outcome.messages[1] = "Hello"
      try await chats.endReply(reply.id, .complete)
    } catch {
      outcome.failures += 1
    }
    do {
      outcome.account = try await PersonalDatabase(database)
        .signUp(
          name: "Kim", email: "kim@example.com")
    } catch {
      outcome.failures += 1
    }
  }

  private let mina = Avatar(
    id: "mina", name: "Mina", category: .travelers, description: "")

  private func verify(
    _ directory: URL, _ outcome: Outcome, _ what: String,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let database = try Database(.directory(directory), execution: .inline)
    #expect(try database.problems(PlaceTables.problems) == [], "\(what)", sourceLocation: location)
    let settings = StoredSettingsRepository(database: PersonalDatabase(database))
    for number in outcome.saved {
      #expect(
        try await settings.values()["setting \(number)"] == "\(number)", "\(what)",
        sourceLocation: location)
    }
    let library = try await PersonalDatabase(database).library()
    #expect(
      library.record(of: "signal").isBookmarked || !outcome.isBookmarked, "\(what)",
      sourceLocation: location)
    let messages =
      try await PersonalDatabase(database).messages(of: mina.id)
      ?? []
    #expect(messages.count >= outcome.messages.count, "\(what)", sourceLocation: location)
    for (message, text) in zip(messages, outcome.messages) {
      #expect(message.text.hasPrefix(text), "\(what)", sourceLocation: location)
    }
    if let account = outcome.account {
      let signedIn = try await PersonalDatabase(database)
        .account()
      #expect(signedIn == account, "\(what)", sourceLocation: location)
    }
    let imported = try await database.read { connection in
      try connection.row("SELECT count(*) FROM places WHERE batch = 1") { try $0[0] as Int } ?? -1
    }
    #expect(
      imported == Self.places || (imported == 0 && !outcome.hasImported), "\(what)",
      sourceLocation: location)
    database.close()
  }
}
