import FaultInjection
import Foundation
import Offstage
import OffstageSystem
import OffstageTesting
import TestSupport
import Testing

@testable import OffstageLive

@Suite @CoreActor struct JSONStoreTests {
  private let directory: TemporaryDirectory
  private let core = TestCore()
  private var file: URL { directory.file("data/notes.json") }

  init() throws { directory = try TemporaryDirectory() }

  private func open(byteLimit: Int = 1000) throws -> Notebook {
    try core.show { try Notebook(file, byteLimit: byteLimit) }
  }

  /// The content of the file without the line feed at its end.
  private var text: String? {
    try? String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  @Test func changesAreWrittenTogetherAndSoon() async throws {
    let notes = try open().notes
    #expect(notes.value == [])
    for text in ["a", "b", "c"] { notes.update { $0.append(text) } }
    #expect(notes.value == ["a", "b", "c"])
    await core.advance(by: .milliseconds(199))
    #expect(text == nil)
    await core.advance(by: .milliseconds(1))
    #expect(text == #"["a","b","c"]"#)
    #expect(try open().notes.value == ["a", "b", "c"])
    #expect(core.faults == [])
  }

  /// A steady stream of changes does not put the write off.
  @Test func writeIsNotPutOffByLaterChanges() async throws {
    let notes = try open().notes
    for number in 1...3 {
      notes.update { $0.append("\(number)") }
      await core.advance(by: .milliseconds(100))
    }
    #expect(text == #"["1","2"]"#)
    await core.advance(by: .milliseconds(200))
    #expect(text == #"["1","2","3"]"#)
  }

  @Test func changeThatThrowsChangesNothing() async throws {
    struct Stop: Error {}
    let notes = try open().notes
    #expect(throws: Stop.self) {
      try notes.update {
        $0.append("a")
        throw Stop()
      }
    }
    await core.advance(by: .seconds(1))
    #expect(notes.value == [])
    #expect(text == nil)
  }

  @Test func savingDoesNotWait() async throws {
    let notes = try open().notes
    notes.update { $0.append("a") }
    try await notes.save()
    #expect(text == #"["a"]"#)
    // Nothing is left to write.
    try FileManager.default.removeItem(at: file)
    await core.advance(by: .seconds(1))
    try await notes.save()
    #expect(text == nil)
  }

  @Test func endOfTheProgramWrites() async throws {
    let notes = try open().notes
    notes.update { $0.append("a") }
    core.closeAll()
    await core.run()
    #expect(text == #"["a"]"#)
  }

  @Test func withoutAFileTheValueIsInMemory() async throws {
    let notes = try core.show { try Notebook(nil) }.notes
    notes.update { $0.append("a") }
    try await notes.save()
    core.closeAll()
    await core.run()
    #expect(notes.value == ["a"])
    #expect(try directory.contents() == [:])
  }

  @Test func filesAreForTheirOwnerAlone() async throws {
    let notes = try open().notes
    notes.update { $0.append("a") }
    try await notes.save()
    #expect(PrivateFiles.mode(file.path).map { $0 & 0o777 } == 0o600)
    #expect(PrivateFiles.mode(directory.file("data").path).map { $0 & 0o777 } == 0o700)
  }

  // MARK: Failures

  @Test(arguments: [
    ("", "damaged"), ("[", "damaged"), ("[1]", "expected string at /0, found number"),
    ("{}", "expected array"), ("\u{0}\u{0}", "damaged"),
    ("[\"" + String(repeating: "x", count: 1000) + "\"]", "more than 1000 bytes"),
  ])
  func damagedFileIsReportedAndKept(content: String, reason: String) throws {
    try FileManager.default.createDirectory(
      at: directory.file("data"), withIntermediateDirectories: true)
    try Data(content.utf8).write(to: file)
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains(file.path) == true)
    #expect(text == content)
  }

  @Test func directoryInPlaceOfTheFileIsReported() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.description.contains("Could not read") == true)
  }

  @Test func tooLargeAValueIsReportedAndNotWritten() async throws {
    let notes = try open(byteLimit: 10).notes
    notes.update { $0.append("a") }
    try await notes.save()
    notes.update { $0.append("0123456789") }
    await #expect(throws: StorageError.self) { try await notes.save() }
    #expect(notes.failure.value?.description.contains("exceed the limit of 10") == true)
    #expect(text == #"["a"]"#)
    notes.update { $0.removeLast() }
    await core.advance(by: .seconds(1))
    #expect(notes.failure.value == nil)
  }

  @Test func valueThatJSONCannotHoldIsReported() async throws {
    let store = try core.show { try Numbers(file) }.numbers
    store.update { $0 = [.nan] }
    await core.advance(by: .seconds(1))
    #expect(store.failure.value?.description.contains("Could not write") == true)
    #expect(text == nil)
    store.update { $0 = [1.5] }
    await core.advance(by: .seconds(1))
    #expect(text == "[1.5]")
  }

  /// A directory in place of the new file makes every write fail.
  @Test func failureIsReportedAndTheNextChangeIsWritten() async throws {
    let notes = try open().notes
    try FileManager.default.createDirectory(at: blocker, withIntermediateDirectories: true)
    notes.update { $0.append("a") }
    await core.advance(by: .milliseconds(200))
    #expect(notes.failure.value?.description.contains("Could not write \(file.path)") == true)
    #expect(core.log == ["error: \(notes.failure.value?.description ?? "")"])
    #expect(core.faults == [])
    #expect(notes.value == ["a"])
    #expect(text == nil)
    try FileManager.default.removeItem(at: blocker)
    notes.update { $0.append("b") }
    await core.advance(by: .milliseconds(200))
    #expect(notes.failure.value == nil)
    #expect(text == #"["a","b"]"#)
  }

  @Test func endOfTheProgramTriesAgain() async throws {
    let notes = try open().notes
    try FileManager.default.createDirectory(at: blocker, withIntermediateDirectories: true)
    notes.update { $0.append("a") }
    await core.advance(by: .milliseconds(200))
    #expect(notes.failure.value != nil)
    try FileManager.default.removeItem(at: blocker)
    core.closeAll()
    await core.run()
    #expect(text == #"["a"]"#)
  }

  private var blocker: URL { directory.file("data/notes.json.new") }

  /// An incomplete file that a crash has left does no harm, nor does one that another user owns.
  @Test func leftoverOfACrashIsReplaced() async throws {
    try FileManager.default.createDirectory(
      at: directory.file("data"), withIntermediateDirectories: true)
    try Data(repeating: 7, count: 500).write(to: directory.file("data/notes.json.new"))
    let notes = try open().notes
    notes.update { $0.append("a") }
    try await notes.save()
    #expect(text == #"["a"]"#)
    #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
  }

  @Test func linkInPlaceOfTheNewFileIsNotFollowed() async throws {
    try FileManager.default.createDirectory(
      at: directory.file("data"), withIntermediateDirectories: true)
    try Data([1]).write(to: directory.file("other"))
    try FileManager.default.createSymbolicLink(
      at: directory.file("data/notes.json.new"), withDestinationURL: directory.file("other"))
    let notes = try open().notes
    notes.update { $0.append("a") }
    await #expect(throws: StorageError.self) { try await notes.save() }
    #expect(try Data(contentsOf: directory.file("other")) == Data([1]))
  }

  /// Writes of several processes at once: the file is always one of theirs, whole.
  @Test func filesAreReplacedOneAtATime() async throws {
    let file = directory.file("notes.json")
    await withTaskGroup(of: Void.self) { group in
      for writer in 1...4 {
        group.addTask {
          let content = [UInt8](repeating: UInt8(writer), count: writer * 10_000)
          for _ in 1...20 {
            #expect(throws: Never.self) { try PrivateFiles.replace(file.path, with: content) }
            let found = FileManager.default.contents(atPath: file.path) ?? Data()
            #expect(Set(found).count == 1 && found.count == Int(found[0]) * 10_000)
          }
        }
      }
    }
    #expect(Array(try directory.contents().keys) == ["notes.json"])
  }
}

#if os(Linux)
  /// Not on the core's thread, which other tests share.
  @Suite struct JSONFileTests {
    static let kinds = [
      FAULT_FILE_OPEN, FAULT_FILE_WRITE, FAULT_FILE_SYNC, FAULT_FILE_RENAME, FAULT_FILE_MKDIR,
    ].map(\.rawValue)

    /// The n-th system call fails, for n over a whole run: the file has what was written or the value
    /// after it, never less, nothing else is left, and the next write succeeds.
    @Test(arguments: kinds, [false, true])
    func contentSurvivesEveryFault(kind: UInt32, repeats: Bool) throws {
      var n = 1
      while true {
        let directory = try TemporaryDirectory()
        let url = directory.file("data/notes.json")
        let file = JSONFile(url, byteLimit: 1000)
        var (saved, failures) = (0, 0)
        fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
        for number in 1...3 {
          do {
            try file.write(["note \(number)"], number)
            saved = number
          } catch {
            failures += 1
          }
        }
        let failed = fault_disarm()
        let kept = try JSONFile(url, byteLimit: 1000).read([String].self)
        let number = (1...3).first { kept == ["note \($0)"] }
        #expect(kept == nil || number != nil, "call \(n) left \(kept ?? [])")
        #expect((number ?? 0) >= saved, "call \(n)")
        #expect(saved + failures >= 3)
        // A directory that exists need not be made.
        #expect(failed == 0 || failures > 0 || kind == FAULT_FILE_MKDIR.rawValue, "call \(n)")
        try file.write(["note 4"], 4)
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: directory.file("data").path)
            == ["notes.json"])
        #expect(try file.read([String].self) == ["note 4"])
        if failed == 0 { break }
        n += 1
      }
      #expect(n > 1)
    }

    @Test func fullDiskHasARemedy() throws {
      let directory = try TemporaryDirectory()
      let file = JSONFile(directory.file("notes.json"), byteLimit: 1000)
      try file.write(["old"], 1)
      fault_arm(FAULT_FILE_WRITE, 1, 0)
      let error = #expect(throws: StorageError.self) { try file.write(["new"], 2) }
      #expect(fault_disarm() == 1)
      #expect(error?.isDiskFull == true)
      #expect(error?.description.hasSuffix(": No space left on device. Free some space.") == true)
      #expect(try file.read([String].self) == ["old"])
      #expect(try directory.contents().count == 1)
    }

    @Test func writeThatWasOvertakenIsDropped() throws {
      let directory = try TemporaryDirectory()
      let file = JSONFile(directory.file("notes.json"), byteLimit: 1000)
      for number in [1, 3, 2] { try file.write(number, number) }
      #expect(try file.read(Int.self) == 3)
    }
  }
#endif

/// A screen with a store.
private final class Notebook: Screen {
  static let kind = "notebook"
  struct Input: Ports {}
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
  let notes: JSONStore<[String]>

  init(_ file: URL?, byteLimit: Int = 1000) throws {
    notes = try JSONStore(file, initial: [], byteLimit: byteLimit)
  }
}

private final class Numbers: Screen {
  static let kind = "numbers"
  struct Input: Ports {}
  struct Output: Ports {}
  let input = Input(), output = Output(), effects = Effects()
  let numbers: JSONStore<[Double]>

  init(_ file: URL) throws { numbers = try JSONStore(file, initial: []) }
}
