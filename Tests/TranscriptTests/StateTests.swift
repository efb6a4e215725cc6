import Foundation
import OffstageJSON
import OffstageSystem
import OffstageTranscripts
import ShowcaseProgram
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost
@testable import OffstageTesting

/// What the files contain after each step of a transcript is the state of the core. Takes every fourth
/// transcript, and all about restarts.
@Suite struct StateTests {
  @Test("keeps the state", arguments: try some(transcripts(in: folder)))
  @CoreActor func keepsTheState(_ path: String) async throws {
    let transcript = try Transcript(at: path)
    try await mutex.withLock {
      let outputs = try await Program.showcase.play(transcript) { arguments, _ in
        try await KeepingHost(arguments)
      }
      for difference in transcript.differences(from: outputs) { Issue.record("\(difference)") }
    }
  }

  private static func some(_ paths: [String]) -> [String] {
    paths.enumerated().filter { $0.offset % 4 == 0 || $0.element.contains("/restart/") }
      .map(\.element)
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Protocol/transcripts").path
}

/// A core that keeps its state in a directory, which is compared with the state.
@CoreActor
private final class KeepingHost: TranscriptTarget {
  private let host: TestHost
  private let directory: String
  /// Removed with this object.
  private let parent: TemporaryDirectory

  init(_ arguments: [String]) async throws {
    parent = try TemporaryDirectory()
    let given = arguments.first { $0.hasPrefix("--state=") }.map { String($0.dropFirst(8)) }
    directory = given ?? parent.file("state").path
    host = try TestHost(
      Program.showcase, given == nil ? arguments + ["--state", directory] : arguments)
  }

  func send(_ bytes: [UInt8]) async throws {
    try await host.send(bytes)
    try compare()
  }

  func settle() async throws -> [String] {
    defer { #expect(throws: Never.self) { try compare() } }
    return try await host.settle()
  }

  func close() async throws -> TranscriptOutput {
    let session = host.session
    let hasStarted = session.publisher.hasStarted
    let output = try await host.close()
    if hasStarted {
      let journal = try Journal("\(directory)/journal")
      #expect(journal.last == 0, "the journal is not empty")
      #expect(try file.read() != nil)
    }
    return output
  }

  private var file: StateFile {
    StateFile("\(directory)/state.json", app: Program.showcase.info)
  }

  private func compare() throws {
    let session = host.session
    guard session.publisher.hasStarted, session.place != nil else { return }
    let journal = try Journal("\(directory)/journal")
    let checkpoint = try file.read()
    var kept = checkpoint?.state ?? .null
    var record = checkpoint?.record ?? 0
    try journal.applyRecords(after: &record, to: &kept)
    #expect(record == max(journal.last, record))
    #expect(journal[.revision] == UInt64(session.publisher.revision))
    kept["session"]?["revision"] = .int(session.publisher.revision)
    let state = session.state
    guard kept != state else { return }
    var writer = JSONWriter()
    writer.beginArray()
    writer.change(at: [], from: kept, to: state)
    Issue.record("the files lack \(String(writer.bytes))")
  }
}
