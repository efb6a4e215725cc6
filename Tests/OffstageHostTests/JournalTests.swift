import Foundation
import OffstageJSON
import TestSupport
import Testing

@testable import OffstageHost

/// The records of a journal, after a kill at any byte.
@Suite struct JournalTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("journal").path }

  init() throws { directory = try TemporaryDirectory() }

  /// Adds a record that appends its number to the list in the state, padded to a length.
  private func add(_ numbers: ClosedRange<Int>, to journal: Journal, padding: Int = 0) -> Bool {
    numbers.allSatisfy { number in
      let record =
        #"[{"op":"add","path":"/-","value":\#(number)}"# + String(repeating: " ", count: padding)
        + "]"
      let patch = record.replacingOccurrences(of: "/-", with: "/\(number - 1)")
      return Array(patch.utf8).withUnsafeBytes { journal.append($0, number: number) }
    }
  }

  /// Returns the numbers of the records after a checkpoint.
  private func records(of journal: Journal, after number: Int = 0) throws -> [Int] {
    var state = JSON.array((0..<number).map { .int($0 + 1) })
    var last = number
    try journal.applyRecords(after: &last, to: &state)
    return (state.array ?? []).compactMap(\.int)
  }

  @Test func theNextProcessFindsTheRecords() throws {
    #expect(add(1...3, to: try Journal(path)))
    let journal = try Journal(path)
    #expect(try records(of: journal) == [1, 2, 3])
    #expect(add(4...4, to: journal))
    #expect(try records(of: Journal(path)) == [1, 2, 3, 4])
  }

  /// A kill leaves any part of the last record.
  @Test func aCutRecordIsIgnored() throws {
    #expect(add(1...2, to: try Journal(path)))
    let before = try Data(contentsOf: directory.file("journal"))
    #expect(add(3...3, to: try Journal(path)))
    let after = try Data(contentsOf: directory.file("journal"))
    let changed = after.indices.filter { after[$0] != before[$0] }
    for end in changed {
      for isFront in [true, false] {
        // The payload is written before the header.
        var cut = isFront ? after : before
        cut.replaceSubrange(
          end..., with: (isFront ? before : after)[end...])
        if cut == after { continue }
        try cut.write(to: directory.file("journal"))
        let journal = try Journal(path)
        #expect(try records(of: journal) == [1, 2], "cut at \(end)")
        // Nothing of it is left behind, and the next record takes its place.
        #expect(add(3...3, to: journal))
        #expect(try records(of: Journal(path)) == [1, 2, 3])
      }
    }
  }

  @Test func whatFollowsACheckpointMovesToTheFront() throws {
    let journal = try Journal(path)
    var last = 0
    while add(last + 1...last + 1, to: journal, padding: 100_000) { last += 1 }
    #expect(last > 30)
    #expect(try records(of: Journal(path)) == Array(1...last))
    #expect(try records(of: Journal(path), after: 7) == Array(1...last))
    journal.clear(through: last - 1)
    #expect(add(last + 1...last + 1, to: journal))
    #expect(try records(of: Journal(path), after: last) == Array(1...last + 1))
    // More than fits beside itself stays where it is.
    let moved = last
    while add(last + 2...last + 2, to: journal, padding: 100_000) { last += 1 }
    journal.clear(through: moved + 2)
    #expect(!add(last + 2...last + 2, to: journal, padding: 100_000))
    #expect(try records(of: Journal(path), after: moved + 2) == Array(1...last + 1))
    journal.clear(through: last)
    #expect(add(last + 2...last + 2, to: journal, padding: 100_000))
    #expect(try records(of: Journal(path), after: last) == Array(1...last + 2))
  }

  @Test func aClearedJournalHasNothingOfTheRecords() throws {
    let journal = try Journal(path)
    #expect(add(1...100, to: journal, padding: 50))
    journal.clear(through: 100)
    let bytes = try Data(contentsOf: directory.file("journal")).dropFirst(4096)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  @Test func aRecordAfterAGapIsRefused() throws {
    let journal = try Journal(path)
    #expect(add(1...2, to: journal))
    #expect(!add(4...4, to: journal))
    #expect(try records(of: Journal(path)) == [1, 2])
  }

  @Test(arguments: ["", "x", String(repeating: "x", count: Journal.Size.large.rawValue)])
  func somethingElseIsNoJournal(_ content: String) throws {
    try Data(content.utf8).write(to: directory.file("journal"))
    if content.isEmpty {
      #expect(try Journal(path).last == 0)
    } else {
      #expect(throws: (any Error).self) { try Journal(path) }
    }
  }
}
