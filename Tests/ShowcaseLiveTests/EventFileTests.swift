import Foundation
import OffstageLive
import OffstageSystem
import Synchronization
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct EventFileTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.url.appendingPathComponent("events").path
  }

  @Test func eachEventIsALine() throws {
    let file = try EventFile(path) { Issue.record("\($0)") }
    file.track("explore.avatarTapped", ["id": "a/1"], at: 5)
    file.track("chat.sent", ["text": "한 \" 나\n"], at: 6)
    #expect(
      try lines(path) == [
        #"{"at":5,"name":"explore.avatarTapped","parameters":{"id":"a/1"}}"#,
        #"{"at":6,"name":"chat.sent","parameters":{"text":"한 \" 나\n"}}"#,
      ])
  }

  @Test func aFullFileIsRenamed() throws {
    let file = try EventFile(path, byteLimit: 100) { Issue.record("\($0)") }
    for number in 1...7 { file.track("e", [:], at: number) }
    // A line has 35 bytes, so three of them reach the limit.
    #expect(try lines(path + ".1").map { $0.prefix(7) } == [#"{"at":4"#, #"{"at":5"#, #"{"at":6"#])
    #expect(try lines(path).map { $0.prefix(7) } == [#"{"at":7"#])
  }

  @Test func otherUsersCannotReadIt() throws {
    _ = try EventFile(path) { _ in }
    #expect(PrivateFiles.mode(path).map { $0 & 0o777 } == 0o600)
  }

  @Test func aFileThatCannotBeOpenedIsReportedAtStart() throws {
    let path = "/no/such/folder/events"
    let error = #expect(throws: FileError.self) { try EventFile(path) { _ in } }
    #expect(error?.description == "--events \(path): No such file or directory")
  }

  @Test func aLaterFailureIsAWarning() throws {
    let warnings = Mutex<[String]>([])
    let file = try EventFile(path) { warning in warnings.withLock { $0.append(warning) } }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    file.track("e", [:], at: 1)
    #expect(
      warnings.withLock(\.self) == ["the event e was not written to \(path): Is a directory"])
  }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
