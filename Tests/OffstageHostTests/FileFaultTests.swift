import FaultInjection
import Foundation
import OffstageTranscripts
import Testing

@testable import Offstage
@testable import OffstageHost

#if os(Linux)
  /// The n-th system call of a kind fails, for n over a whole run.
  @Suite @CoreActor struct FileFaultTests {
    nonisolated static let kinds = [
      FAULT_FILE_OPEN, FAULT_FILE_WRITE, FAULT_FILE_SYNC, FAULT_FILE_RENAME,
    ].map(\.rawValue)

    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faults-\(UUID().uuidString)")
    private var file: String { folder.appendingPathComponent("run.transcript").path }

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A recording ends with the last whole line before the fault, and is still a transcript.
    @Test(arguments: kinds, [false, true])
    func recordingEndsWithAWholeLine(kind: UInt32, repeats: Bool) throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let complete = try record(failing: kind, .max, false).text
      for n in 1... {
        guard let run = try? record(failing: kind, n, repeats) else { continue }
        #expect(complete.hasPrefix(run.text), "call \(n)")
        if !run.text.isEmpty {
          #expect(run.text.hasSuffix("\n"), "call \(n)")
          #expect(throws: Never.self) { try Transcript(Array(run.text.utf8), file: "x") }
        }
        #expect((run.fault == nil) == (run.failed == 0), "call \(n)")
        if let fault = run.fault {
          #expect(fault == "\(file): No space left on device")
        } else {
          #expect(run.text == complete)
          return
        }
      }
    }

    private func record(
      failing kind: UInt32, _ n: Int, _ repeats: Bool
    ) throws -> (text: String, fault: String?, failed: Int) {
      fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
      defer { _ = fault_disarm() }
      let recording = try Recording(path: file, command: ["app", "--deterministic"], secrets: [])
      for number in 1...3 {
        Array("{\"id\":\(number)}".utf8).withUnsafeBytes {
          recording.sent($0, number: number, afterRest: true)
        }
        recording.received("{\"id\":\(number),\"result\":{}}")
      }
      recording.finish(exit: 0)
      let failed = fault_disarm()
      return (
        try String(contentsOfFile: file, encoding: .utf8), recording.fault.map { "\($0)" }, failed
      )
    }

    /// An update is all or nothing, and leaves no other file.
    @Test(arguments: kinds, [false, true])
    func replacedFileIsWhole(kind: UInt32, isLinked: Bool) throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let (old, new) = ("old\n", "new and longer\n")
      if isLinked {
        try old.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.linkItem(atPath: file, toPath: file + ".link")
      }
      let names = isLinked ? ["run.transcript", "run.transcript.link"] : ["run.transcript"]
      for n in 1... {
        try old.write(toFile: file, atomically: false, encoding: .utf8)
        fault_arm(fault_kind(kind), n, 0)
        let result = Result { try Descriptor.replaceFile(file, Array(new.utf8)) }
        let failed = fault_disarm()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
        switch result {
        case .success:
          #expect(text == new, "call \(n)")
          #expect(failed == 0, "call \(n)")
        case .failure(let error):
          #expect(text == old, "call \(n)")
          #expect("\(error)".hasPrefix("\(file): "))
        }
        if failed == 0 { return }
      }
    }
  }
#endif
