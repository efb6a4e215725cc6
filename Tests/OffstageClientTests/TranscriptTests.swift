import Foundation
import OffstageHost
import OffstageJSON
import OffstageTranscripts
import ShowcaseProgram
import Testing

@testable import OffstageClient

/// Replays all transcripts: after each frame, the client's document is the core's, and the
/// generated types hold all of it.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct ClientTranscriptTests {
  @Test func documentIsThatOfTheCore() async throws {
    let files = try Self.transcripts()
    let front = Front()
    for file in files {
      let transcript = try Transcript(
        try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
      _ = try await Program.showcase.play(transcript) { arguments, _ in
        await front.begin(file.lastPathComponent)
        return Player(try await EmbeddedCore(.showcase, arguments: arguments), front)
      }
    }
    for mismatch in front.mismatches.prefix(5) { Issue.record("\(mismatch)") }
    #expect(front.frames > 1_000)
    #expect(front.snapshots > files.count)
  }

  static func transcripts() throws -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/transcripts")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let found = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "transcript" }
    try #require(found.count > 200)
    return found.sorted { $0.path < $1.path }
  }
}

/// The client's side: keeps the document, and compares it with the snapshots.
@MainActor
final class Front {
  private(set) var frames = 0
  private(set) var snapshots = 0
  private(set) var mismatches: [String] = []
  private var file = ""
  private let core = RemoteCore { throw CoreEnded(.closed) }
  private var document: RemoteDocument

  nonisolated static let snapshot = #"{"jsonrpc":"2.0","id":"~s","method":"state/snapshot"}"#

  init() { document = RemoteDocument(core: core) }

  /// Begins a run of a core.
  func begin(_ file: String) {
    document = RemoteDocument(core: core)
    self.file = file
  }

  /// - Returns: True if the line is a frame.
  func take(_ line: String) -> Bool {
    guard let json = try? JSON(parsing: line) else { return false }
    let message = Value(json)
    if message["method"].string == "frame" {
      guard let frame = Frame(message["params"]) else {
        mismatches.append("\(file): not a frame: \(line)")
        return false
      }
      do { try document.apply(frame) } catch { mismatches.append("\(file): \(error): \(line)") }
      frames += 1
      checkTypes()
      return true
    }
    if message["id"].string == "~s" {
      let snapshot = message["result"]
      guard !snapshot.isNull else { return false }
      snapshots += 1
      if snapshot["state"] != document.value || snapshot["revision"].int != document.revision {
        mismatches.append(
          "\(file): revision \(document.revision) differs from \(snapshot["revision"])")
      }
    }
    return false
  }

  /// Decodes the outputs of all screens by their types, and encodes them again.
  private func checkTypes() {
    for screen in Array(document.screens.values) + (document.app.map { [$0] } ?? []) {
      guard let types = ShowcaseTypes.all[screen.kind] else {
        mismatches.append("\(file): no type for \(screen.kind)")
        continue
      }
      do {
        let again = try types(screen.outputs)
        if again != screen.outputs {
          mismatches.append("\(file): \(screen.kind): \(again) instead of \(screen.outputs)")
        }
      } catch { mismatches.append("\(file): \(screen.kind): \(error)") }
    }
  }
}

/// A core in this process, to which a transcript is played. It asks for a snapshot after each
/// frame.
private actor Player: TranscriptTarget {
  private let core: EmbeddedCore
  private let front: Front
  private var rest: [UInt8] = []
  private var lines: [String] = []
  private var hasSentTo = false
  private var hasSentFrame = false
  private var barriers = 0

  init(_ core: EmbeddedCore, _ front: Front) { (self.core, self.front) = (core, front) }

  func send(_ bytes: [UInt8]) {
    hasSentTo = true
    rest += bytes
    while let end = rest.firstIndex(of: 0x0A) {
      rest[..<end].withUnsafeBytes { core.send($0) }
      rest.removeSubrange(...end)
    }
  }

  func settle() async -> [String] {
    if hasSentTo { await barrier("$/barrier") }
    if hasSentFrame { await barrier("state/settle") }
    defer { lines = [] }
    return lines
  }

  func close() async -> TranscriptOutput {
    if !rest.isEmpty { rest.withUnsafeBytes { core.send($0) } }
    if hasSentTo { await barrier("$/barrier") }
    core.stop()
    while let line = await core.receive() { await take(line) }
    return TranscriptOutput(blocks: [lines], exit: nil)
  }

  private func barrier(_ method: String) async {
    barriers += 1
    let id = "\"~b\(barriers)\""
    core.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"}")
    while let line = await core.receive() {
      if line.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),") { return }
      await take(line)
    }
  }

  private func take(_ line: String) async {
    lines.append(line)
    guard await front.take(line) else { return }
    hasSentFrame = true
    core.send(Front.snapshot)
  }
}
