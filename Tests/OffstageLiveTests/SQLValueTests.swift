import Foundation
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct SQLValueTests {
  @Test func roundTripsEveryType() async throws {
    try await check(-1 << 53, 0, 1 << 53)
    try await check(true, false)
    try await check(0.0, -1.5, .infinity, .leastNonzeroMagnitude)
    try await check("", "a", "a\0b", "🦊 Ünï", String(repeating: "x", count: 100_000))
    try await check(Data(), Data([0, 255]))
    try await check(Int?.none, 3)
    try await check(String?.none, "")
    try await check(Data?.none, Data())
  }

  @Test func rejectsAnotherStorageClass() async throws {
    let database = try Database(.memory, migrations: [], execution: .inline)
    let failure = await #expect(throws: SQLError.self) {
      try await database.read { try $0.row("SELECT 1, '1'") { try $0[1] as Int } }
    }
    #expect(failure?.description.contains("column 1 holds TEXT, not Int") == true)
    let tooLarge = await #expect(throws: SQLError.self) {
      try await database.read { try $0.row("SELECT -9007199254740993") { try $0[0] as Int } }
    }
    #expect(tooLarge?.description.contains("holds INTEGER -9007199254740993, not Int") == true)
    await #expect(throws: SQLError.self) {
      try await database.read { try $0.row("SELECT NULL") { try $0[0] as String } }
    }
    await #expect(throws: SQLError.self) {
      try await database.read { try $0.row("SELECT 1") { try $0[1] as Int? } }
    }
  }

  private func check<Value: SQLConvertible & Equatable & Sendable>(
    _ values: Value..., location: SourceLocation = #_sourceLocation
  ) async throws {
    let database = try Database(.memory, migrations: [], execution: .inline)
    for value in values {
      let found: Value? = try await database.read { connection in
        try connection.row("SELECT ?", value) { try $0[0] }
      }
      #expect(found == value, sourceLocation: location)
    }
  }
}
